package io.holdpoint.tools;

import static io.holdpoint.test.ScriptedModel.call;
import static org.assertj.core.api.Assertions.assertThat;

import dev.langchain4j.agent.tool.Tool;
import io.holdpoint.Holdpoint;
import io.holdpoint.PendingInterrupt;
import io.holdpoint.RequiresApproval;
import io.holdpoint.RunResult;
import io.holdpoint.ToolPolicy;
import io.holdpoint.test.ScriptedModel;
import io.holdpoint.testing.Logs;
import io.holdpoint.testing.Shape;
import java.io.InterruptedIOException;
import java.io.UncheckedIOException;
import java.net.SocketTimeoutException;
import java.nio.channels.ClosedByInterruptException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Somebody has interrupted the thread of a body: whoever it was, nobody knows whether the body has had its effect. */
@Logs("Tool 'pay' execution failed")
class InterruptedToolTest {

    /** The ways in which a body ends that was interrupted. */
    enum Way {
        WAITING(() -> {
            Thread.currentThread().interrupt();
            new CountDownLatch(1).await();
            return "";
        }),
        FLAG_SET_AGAIN(() -> {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("not waited for");
        }),
        WRAPPED(() -> {
            throw new IllegalStateException(new RuntimeException(new InterruptedException()));
        }),
        CHANNEL(() -> {
            throw new ClosedByInterruptException();
        }),
        STREAM(() -> {
            throw new UncheckedIOException(new InterruptedIOException());
        });

        private final Callable<String> body;

        Way(Callable<String> body) {
            this.body = body;
        }
    }

    private final List<String> effects = new ArrayList<>();
    private final ScriptedModel model =
            new ScriptedModel().calls(call("c1", "pay", "{\"amount\":5}")).says("Done.");

    private final class Bank {

        private final Callable<String> rest;

        Bank(Callable<String> rest) {
            this.rest = rest;
        }

        @Tool
        @RequiresApproval
        String pay(int amount) throws Exception {
            effects.add("pay " + amount);
            return rest.call();
        }
    }

    @AfterEach
    void forgetTheInterrupt() {
        Thread.interrupted();
    }

    private RunResult approved(Callable<String> rest, ToolPolicy... policies) {
        Holdpoint agent = Shape.BLOCKING
                .builder(model)
                .tools(new Bank(rest))
                .toolPolicies(policies)
                .build();
        return agent.resume("t", agent.send("t", "Go").approval().approve());
    }

    @ParameterizedTest
    @EnumSource
    void aPersonIsAsked(Way way) {
        RunResult result = approved(way.body);

        assertThat(effects).containsExactly("pay 5");
        assertThat(result.interrupts()).singleElement().isInstanceOf(PendingInterrupt.UnknownOutcome.class);
        assertThat(result.interrupts().get(0).message()).contains("was interrupted", "not known");
        assertThat(model.requests()).hasSize(1);
    }

    @ParameterizedTest
    @EnumSource
    void aPersonIsAskedAlsoIfItsTimeIsLimited(Way way) {
        RunResult result =
                approved(way.body, ToolPolicy.named("pay").withoutApproval().timeLimit(Duration.ofMinutes(1)));

        assertThat(result.interrupts()).singleElement().isInstanceOf(PendingInterrupt.UnknownOutcome.class);
    }

    @ParameterizedTest
    @EnumSource
    void aToolThatIsHarmlessTwiceHasFailed(Way way) {
        approved(way.body, ToolPolicy.named("pay").withoutApproval().idempotent());

        assertThat(model.requests()).hasSize(2);
    }

    @Test
    void theThreadStaysInterruptedForWhoeverOwnsIt() {
        approved(Way.FLAG_SET_AGAIN.body);

        assertThat(Thread.currentThread().isInterrupted()).isTrue();
    }

    @Test
    void aReadThatHasTakenTooLongWasNotInterrupted() {
        approved(() -> {
            throw new SocketTimeoutException("Read timed out");
        });

        assertThat(model.lastResult("c1")).isEqualTo("Read timed out");
    }
}
