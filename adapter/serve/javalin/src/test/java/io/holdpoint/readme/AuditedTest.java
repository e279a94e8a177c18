package io.holdpoint.readme;

import static io.holdpoint.test.ScriptedModel.call;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdpoint.Holdpoint;
import io.holdpoint.test.ScriptedModel;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Runs what README.md shows about the audit trail. */
class AuditedTest {

    @Test
    void theTrailTellsTheStoryWithoutWhatIsRedacted() {
        List<String> outbox = new ArrayList<>();
        ScriptedModel model = new ScriptedModel();
        Holdpoint agent = Audited.agent(model, (to, subject, body) -> outbox.add(body));
        model.calls(call("c1", "sendEmail", "{\"to\":\"ada@example.com\",\"subject\":\"Hi\",\"body\":\"secret\"}"))
                .says("Done.");
        agent.send("thread-1", "Write to Ada");
        agent.resume("thread-1", agent.pending("thread-1").get(0).asApproval().approve());

        String trail = Audited.trail(agent);

        assertThat(Audited.figures(agent, Instant.EPOCH, Instant.parse("2999-01-01T00:00:00Z")))
                .isEqualTo("sendEmail: 1 of 1 approved\n");
        assertThat(outbox).containsExactly("secret");
        assertThat(trail)
                .doesNotContain("secret")
                .contains("\"arguments\":{\"subject\":\"Hi\",\"to\":\"ada@example.com\"}");
        assertThat(trail.lines().map(line -> line.split(" ")[1] + " " + line.split(" ")[2]))
                .containsExactly(
                        "anonymous PROPOSED",
                        "anonymous HELD",
                        "anonymous DECIDED",
                        "anonymous CLAIMED",
                        "anonymous EXECUTED");
    }
}
