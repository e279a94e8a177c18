package io.holdpoint.readme;

import static io.holdpoint.test.ScriptedModel.call;
import static io.holdpoint.testing.Bench.MAIL;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.holdpoint.Holdpoint;
import io.holdpoint.RunResult;
import io.holdpoint.agui.ResumeEntry;
import io.holdpoint.agui.client.AguiClient;
import io.holdpoint.test.ScriptedModel;
import io.holdpoint.testing.Bench;
import io.holdpoint.testing.TestServer;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
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

    @Test
    void theRemoteAgentStandsInThePlaceOfTheModel() {
        Bench office = new Bench();
        List<String> sent = new ArrayList<>();
        try (TestServer server = new TestServer(office.agent(), agui -> {})) {
            AguiClient client = AguiClient.builder(URI.create("http://127.0.0.1:" + server.port() + "/agent"))
                    .build();
            Holdpoint agent = Delegating.behind(client, new MailTools((to, subject, body) -> sent.add(to)));
            office.model
                    .calls(call("m1", "transferMoney", "{\"amount\":5,\"to\":\"Ada\"}"))
                    .says("Paid.");

            RunResult.Interrupted held = (RunResult.Interrupted) agent.send("t", "Pay Ada");
            RunResult done = agent.resume(
                    "t",
                    held.interrupts()
                            .get(0)
                            .answer(JsonNodeFactory.instance.objectNode().put("approved", true)));

            assertThat(done.text()).isEqualTo("Paid.");
            assertThat(office.tools.effects()).containsExactly("transferMoney 5|Ada");
            assertThat(sent).isEmpty();
        }
    }
}
