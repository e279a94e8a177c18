package io.holdpoint.readme;

import static io.holdpoint.test.ScriptedModel.call;
import static io.holdpoint.testing.Bench.MAIL;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.holdpoint.Holdpoint;
import io.holdpoint.RunResult;
import io.holdpoint.agui.ResumeEntry;
import io.holdpoint.test.ScriptedModel;
import io.holdpoint.testing.Bench;
import io.holdpoint.testing.TestServer;
import java.net.URI;
import org.junit.jupiter.api.Test;

/** The documents' section on remote agents. */
class DelegatingTest {

    @Test
    void theRemoteAgentsQuestionIsAskedHere() {
        Bench office = new Bench();
        ScriptedModel model = new ScriptedModel();
        try (TestServer server = new TestServer(office.agent(), agui -> {})) {
            Holdpoint agent =
                    Delegating.agent(model, URI.create("http://127.0.0.1:" + server.port() + "/agent"), "secret");
            model.calls(call("c1", "office", "{\"task\":\"Say hello to Ada\"}")).says("Done.");
            office.model.calls(call("m1", "sendEmail", MAIL)).says("Sent.");

            RunResult.Interrupted held = (RunResult.Interrupted) agent.send("t", "Say hello to Ada");
            agent.resume(
                    "t",
                    ResumeEntry.resolved(
                            held.interrupts().get(0).interrupt().id(),
                            JsonNodeFactory.instance.objectNode().put("approved", true)));

            assertThat(office.tools.effects()).hasSize(1);
            assertThat(model.lastResult("c1")).isEqualTo("Sent.");
        }
    }
}
