package io.holdpoint.internal.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdpoint.Caller;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** So often at once, and as often again in a minute, for each caller. */
class PaceTest {

    private static final Caller GRACE = Caller.of("grace");
    private static final Caller HENRY = Caller.of("henry");

    private final AtomicLong now = new AtomicLong(Long.MAX_VALUE - 5); // the clock of a JVM begins anywhere
    private final Pace pace = new Pace(now::get);

    private void pass(Duration time) {
        now.addAndGet(time.toNanos());
    }

    private void takeAll(Caller caller, int most) {
        for (int i = 0; i < most; i++) {
            assertThat(pace.early(caller)).isZero();
        }
    }

    @Test
    void whoHasTakenAllWaitsAndNobodyElseDoes() {
        takeAll(GRACE, Pace.A_MINUTE);

        assertThat(pace.early(GRACE)).isEqualTo(2);
        assertThat(pace.early(GRACE)).isEqualTo(2); // what was refused does not count
        takeAll(HENRY, Pace.A_MINUTE);
        pass(Duration.ofMillis(1_500));
        assertThat(pace.early(GRACE)).isEqualTo(1);
        pass(Duration.ofMillis(500));
        assertThat(pace.early(GRACE)).isZero();
        assertThat(pace.early(GRACE)).isEqualTo(2);
    }

    @Test
    void afterAMinuteAllAreThereAgainAndNoMore() {
        takeAll(GRACE, Pace.A_MINUTE);
        pass(Duration.ofMinutes(1));
        takeAll(GRACE, Pace.A_MINUTE);
        assertThat(pace.early(GRACE)).isPositive();

        pass(Duration.ofDays(300));
        takeAll(GRACE, Pace.A_MINUTE);
        assertThat(pace.early(GRACE)).isPositive();
    }

    @Test
    void callersWhoNeedNotAuthenticateAreOneWhoMayMore() {
        takeAll(Caller.ANONYMOUS, Pace.A_MINUTE_OF_ANONYMOUS);
        assertThat(pace.early(Caller.ANONYMOUS)).isEqualTo(1);
    }

    /** Also where more callers come than are kept. */
    @Test
    void nobodyGetsMoreBecauseOthersCome() {
        takeAll(GRACE, Pace.A_MINUTE);
        for (int i = 0; i < 5_000; i++) {
            pace.early(Caller.of("caller-" + i));
        }
        assertThat(pace.early(GRACE)).isPositive();
        pass(Duration.ofMinutes(2));
        assertThat(pace.early(HENRY)).isZero();
        assertThat(pace.size()).isEqualTo(1);
    }
}
