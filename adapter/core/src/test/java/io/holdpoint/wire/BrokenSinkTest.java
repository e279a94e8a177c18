package io.holdpoint.wire;

import static io.holdpoint.test.ScriptedModel.call;
import static io.holdpoint.testing.Bench.MAIL;
import static io.holdpoint.testing.Bench.user;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdpoint.EventSink;
import io.holdpoint.RunResult;
import io.holdpoint.testing.Bench;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A client that is gone: the run goes on to its end without it. */
class BrokenSinkTest {

    private final Bench bench = new Bench();
    private final AtomicInteger sent = new AtomicInteger();

    static Stream<Throwable> failures() {
        return Stream.of(
                new IllegalStateException("closed"), new IOException("broken pipe"), new AssertionError("bug"));
    }

    private EventSink failing(int good, Throwable failure) {
        return event -> {
            if (sent.incrementAndGet() > good) {
                BrokenSinkTest.<RuntimeException>sneak(failure);
            }
        };
    }

    /** What Kotlin and proxies do: checked exceptions come out of methods that declare none. */
    @SuppressWarnings("unchecked")
    private static <T extends Throwable> void sneak(Throwable failure) throws T {
        throw (T) failure;
    }

    @ParameterizedTest
    @MethodSource("failures")
    void theHoldIsReachedAndTheSinkIsNotCalledAgain(Throwable failure) {
        bench.model.saysAndCalls("On it.", call("c1", "sendEmail", MAIL));

        RunResult result = bench.agent()
                .run(bench.input(user("u1", "Go")), failing(2, failure))
                .join();

        assertThat(result).isInstanceOf(RunResult.Interrupted.class);
        assertThat(bench.pending()).hasSize(1);
        assertThat(sent).hasValue(3);
    }

    @ParameterizedTest
    @MethodSource("failures")
    void theApprovedCallIsExecutedAndAnswered(Throwable failure) {
        bench.model.calls(call("c1", "sendEmail", MAIL)).says("Done.");
        bench.say("Go");

        RunResult result = bench.agent()
                .run(bench.answers(bench.pending(0).asApproval().approve()), failing(0, failure))
                .join();

        assertThat(result).isInstanceOf(RunResult.Completed.class);
        assertThat(bench.tools.effects()).hasSize(1);
    }
}
