package io.holdpoint.time;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdpoint.Holdpoint;
import io.holdpoint.internal.lease.ClockPace;
import io.holdpoint.store.Store;
import io.holdpoint.test.ScriptedModel;
import io.holdpoint.test.VirtualClock;
import io.holdpoint.testing.Bench;
import io.holdpoint.testing.ForwardingStore;
import io.holdpoint.testing.Logs;
import io.holdpoint.testing.ManualTimer;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** A server's clock and the database's, and clocks of applications. */
class ClocksTest {

    private final AtomicInteger asked = new AtomicInteger();

    private Holdpoint agent(Clock clock, Duration difference) {
        Bench bench = new Bench();
        return Holdpoint.builder(Bench.Assistant.class)
                .streamingChatModel(new ScriptedModel())
                .clock(clock)
                .store(new ForwardingStore() {

                    @Override
                    protected Store store() {
                        return bench.store;
                    }

                    @Override
                    public Optional<Instant> time() {
                        asked.incrementAndGet();
                        return Optional.of(clock.instant().plus(difference));
                    }
                })
                .build();
    }

    @Test
    @Logs("The clock of this server is * s behind the database's, so questions expire and leases end too late.*")
    void aServerWhoseClockIsBehindTheDatabasesSaysSo() {
        agent(Clock.systemUTC(), Duration.ofDays(1)).actOnTime();
    }

    @Test
    @Logs("The clock of this server is * s ahead of the database's, so questions expire and leases end too early.*")
    void aServerWhoseClockIsAheadOfTheDatabasesSaysSo() {
        agent(Clock.systemUTC(), Duration.ofDays(-1)).actOnTime();
    }

    @Test
    void theClocksAreComparedAtTheFirstLookAndEachHourAndMayDifferByFiveSeconds() {
        Holdpoint agent = agent(Clock.systemUTC(), Duration.ofSeconds(4));
        for (int look = 0; look < 361; look++) {
            agent.actOnTime();
        }
        assertThat(asked).hasValue(2);
    }

    /** The time of a test is compared with nothing. */
    @Test
    void aClockThatStandsIsNotCompared() {
        agent(new VirtualClock(), Duration.ofDays(1)).actOnTime();
        assertThat(asked).hasValue(0);
    }

    /** What an agent does by itself it also does by a clock of the application's own, if that runs. */
    @Test
    void aClockRunsIfItGoesWithTime() {
        ManualTimer timer = new ManualTimer();
        VirtualClock clock = new VirtualClock();
        ClockPace pace = new ClockPace(clock, timer);
        assertThat(pace.runs()).isFalse();
        assertThat(pace.look()).as("no time has passed").isFalse();
        timer.advance(Duration.ofSeconds(10));
        assertThat(pace.look()).as("it stands").isFalse();
        timer.advance(Duration.ofSeconds(10));
        clock.advance(Duration.ofSeconds(11));
        assertThat(pace.look()).isTrue();
        assertThat(pace.runs()).isTrue();
        timer.advance(Duration.ofSeconds(10));
        clock.advance(Duration.ofHours(1));
        assertThat(pace.look()).as("it jumps").isFalse();
        timer.advance(Duration.ofSeconds(10));
        clock.advance(Duration.ofSeconds(-10));
        assertThat(pace.look()).isFalse();
        assertThat(new ClockPace(Clock.systemUTC(), timer).runs()).isTrue();
    }
}
