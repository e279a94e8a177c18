package io.holdpoint.readme;

import static io.holdpoint.test.ScriptedModel.call;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdpoint.ErrorCode;
import io.holdpoint.Holdpoint;
import io.holdpoint.RunResult;
import io.holdpoint.test.ScriptedModel;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;

/** README.md's section on cancelling and shutting down. */
class StoppingTest {

    private final ScriptedModel model = new ScriptedModel();
    private final List<String> outbox = new CopyOnWriteArrayList<>();
    private final Holdpoint agent = Stopping.agent(model, (to, subject, body) -> outbox.add(to));

    @Test
    void whatIsHeldIsLetGoOf() {
        model.calls(call("c1", "sendEmail", "{\"to\":\"bob\",\"subject\":\"Hi\",\"body\":\"Hello\"}"))
                .says("All right.");
        agent.send("thread-1", "Write to Bob");

        assertThat(Stopping.cancel(agent)).isTrue();

        assertThat(Stopping.cancel(agent)).isFalse();
        assertThat(agent.send("thread-1", "Never mind")).isInstanceOf(RunResult.Completed.class);
        assertThat(outbox).isEmpty();
    }

    @Test
    void anAgentThatIsShutDownStartsNoRun() {
        assertThat(Stopping.shutDown(agent)).isTrue();

        assertThat(agent.send("thread-1", "Hi"))
                .isInstanceOfSatisfying(RunResult.Failed.class, failed -> assertThat(failed.code())
                        .isEqualTo(ErrorCode.SHUTTING_DOWN));
    }
}
