package io.holdpoint.readme;

import static io.holdpoint.test.ScriptedModel.call;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdpoint.Caller;
import io.holdpoint.Holdpoint;
import io.holdpoint.store.InMemoryStore;
import io.holdpoint.test.ScriptedModel;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Runs what the guide shows about telling the approver. */
class TellingTest {

    @Test
    @Timeout(60)
    void treasuryIsToldWhatWouldRunAndWhatCameOfIt() throws InterruptedException {
        BlockingQueue<String> outbox = new LinkedBlockingQueue<>();
        ScriptedModel model = new ScriptedModel();
        try (Holdpoint agent = Telling.agent(
                model, (to, subject, body) -> outbox.add(to + " " + subject + " " + body), new InMemoryStore())) {
            model.calls(call("c1", "sendEmail", "{\"to\":\"ada@example.com\",\"subject\":\"Hi\",\"body\":\"Hello\"}"))
                    .says("As you like.");
            Holdpoint own = agent.as(new Caller("ada", Set.of("treasury")));
            own.send("thread-1", "Write to Ada");

            assertThat(outbox.poll(30, TimeUnit.SECONDS))
                    .startsWith("treasury@example.com ASKED")
                    .contains("Hello");
            own.resume("thread-1", own.pending("thread-1").get(0).asApproval().deny());
            assertThat(outbox.poll(30, TimeUnit.SECONDS))
                    .startsWith("treasury@example.com SETTLED")
                    .endsWith("denied by ada, not executed");
        }
    }
}
