package io.holdpoint.testing;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/** A test fails by what it logs without saying so, and only by that. */
class UnexpectedLogTest {

    private static final IllegalStateException CAUSE = new IllegalStateException("down");
    private static final TestLog.Line FAILED =
            new TestLog.Line(Level.ERROR, "io.holdpoint.Some", "Run r1 on thread t failed", Optional.of(CAUSE));

    @Logs("Run * on thread * failed")
    private static final class Failing {}

    private static final class Quiet {}

    @Test
    void whatIsNamedMayBeLogged() {
        assertThatCode(() -> UnexpectedLog.check(List.of(FAILED), Stream.of(Failing.class)))
                .doesNotThrowAnyException();
    }

    @Test
    void whatIsNotNamedFailsTheTestWithItsCause() {
        assertThatThrownBy(() -> UnexpectedLog.check(List.of(FAILED), Stream.of(Quiet.class)))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("Run r1 on thread t failed")
                .hasCause(CAUSE);
    }

    @Test
    void whatIsNamedOnAnyOfTheElementsCounts() {
        assertThatCode(() -> UnexpectedLog.check(List.of(FAILED), Stream.of(Quiet.class, Failing.class)))
                .doesNotThrowAnyException();
    }

    @Test
    void aWarningIsKeptWhileATestRunsAlsoFromAThreadOfItsOwn() throws InterruptedException {
        Thread thread = new Thread(() -> LoggerFactory.getLogger("other").warn("a warning of this test, from {}", 2));
        thread.start();
        thread.join();

        assertThatThrownBy(() -> UnexpectedLog.check(TestLog.release(), Stream.of(Quiet.class)))
                .hasMessageContaining("WARN other - a warning of this test, from 2");
    }
}
