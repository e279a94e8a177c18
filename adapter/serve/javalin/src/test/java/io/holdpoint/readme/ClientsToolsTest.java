package io.holdpoint.readme;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdpoint.Holdpoint;
import io.holdpoint.RunResult;
import io.holdpoint.agui.Message;
import io.holdpoint.agui.MessageContent;
import io.holdpoint.agui.RunAgentInput;
import io.holdpoint.test.ScriptedModel;
import io.holdpoint.testing.RecordingSink;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The guide's section on tools of the client. */
class ClientsToolsTest {

    @Test
    void aToolThatTheServerDeclaresIsExecutedByTheClient() {
        ScriptedModel model = new ScriptedModel()
                .calls("searchFiles", Map.of("query", "gates"))
                .says("In gates.md.");
        Holdpoint agent = ClientsTools.agent(model);

        RunResult.LeftToClient left = (RunResult.LeftToClient) agent.send("t", "Where are the gates?");
        Message result = new Message.Tool("r1", left.toolCallIds().get(0), MessageContent.text("gates.md"), null);
        RunResult answered = agent.run(RunAgentInput.of("t", "run-2", List.of(result)), new RecordingSink())
                .join();

        assertThat(answered.text()).isEqualTo("In gates.md.");
    }
}
