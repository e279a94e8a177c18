package io.holdpoint.readme;

import static io.holdpoint.test.ScriptedModel.call;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdpoint.Holdpoint;
import io.holdpoint.PendingInterrupt;
import io.holdpoint.RunResult;
import io.holdpoint.test.ScriptedModel;
import org.junit.jupiter.api.Test;

/** The sample of guides/intended-calls.md. */
class BeforehandTest {

    @Test
    void aListIsAskedAboutOnceAndWhatDeviatesFromItIsAskedAbout() {
        Beforehand tools = new Beforehand();
        ScriptedModel model = new ScriptedModel();
        Holdpoint agent = Holdpoint.builder(Assistant.class)
                .streamingChatModel(model)
                .tools(tools)
                .build();
        model.calls(call("c1", "intend", """
                        {"calls": [
                          {"tool": "pay", "arguments": "{\\"invoice\\": \\"A-17\\", \\"amount\\": 120}", "times": 1},
                          {"tool": "pay", "arguments": "{\\"invoice\\": \\"B-4\\", \\"amount\\": 80.50}", "times": 1}]}"""))
                .calls(
                        call("c2", "pay", "{\"invoice\": \"A-17\", \"amount\": 120}"),
                        call("c3", "pay", "{\"invoice\": \"B-4\", \"amount\": 80.50}"))
                .calls(call("c4", "pay", "{\"invoice\": \"B-4\", \"amount\": 80.50}"));

        PendingInterrupt list =
                agent.send("thread-1", "Pay what is due").interrupts().get(0);
        assertThat(list.message()).isEqualTo("Make these payments?");
        RunResult result = agent.resume("thread-1", list.asApproval().approve());

        assertThat(tools.paid).containsExactly("A-17 120", "B-4 80.50");
        assertThat(result.interrupts()).extracting(PendingInterrupt::toolName).containsExactly("pay");
    }
}
