package io.holdpoint.time;

import static io.holdpoint.testing.Bench.THREAD;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdpoint.Inbox;
import io.holdpoint.PendingInterrupt;
import io.holdpoint.micrometer.HoldpointMetrics;
import io.holdpoint.store.AuditEvent.Kind;
import io.holdpoint.testing.Crash;
import io.holdpoint.testing.Logs;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** A run that died is found without any input: its calls of unknown outcome become questions, and nothing runs. */
@Logs({"Lease* could not be given back", "Run * on thread * failed"})
class DeadRunTest {

    private final Crash crash = new Crash();

    @Test
    void aCallThatACrashCutOffIsInPendingAndInboxAfterOneLook() {
        SimpleMeterRegistry registry = new SimpleMeterRegistry();
        HoldpointMetrics metrics = HoldpointMetrics.of(registry);
        metrics.watch(crash.bench.agent());
        Gauge unfinished = registry.get("holdpoint.threads.unfinished").gauge();
        crash.whilePaying();
        assertThat(crash.bench.pending()).isEmpty();
        crash.bench.clock.advance(Duration.ofSeconds(10));

        assertThat(unfinished.value()).isEqualTo(1);

        assertThat(crash.bench.agent().actOnTime()).isEqualTo(1);

        assertThat(unfinished.value()).isZero();
        assertThat(crash.bench.pending()).hasSize(1);
        PendingInterrupt asked = crash.bench.pending(0);
        assertThat(asked).isInstanceOf(PendingInterrupt.UnknownOutcome.class);
        assertThat(crash.bench
                        .agent()
                        .inbox(Inbox.Scope.OWN, Optional.empty(), 10)
                        .items())
                .extracting(Inbox.Item::interrupt)
                .containsExactly(asked);
        assertThat(crash.effects()).containsExactly("pay 20");
        assertThat(crash.bench.store.auditTrail(THREAD, 0, 100)).last().satisfies(event -> {
            assertThat(event.kind()).isEqualTo(Kind.HELD);
            assertThat(event.caller()).isEqualTo("holdpoint:time");
        });
        assertThat(crash.bench.agent().actOnTime()).isZero();
    }

    @Test
    void aRunThatDiedIsFoundAfterTheReleaseIfTheAgentWasHaltedMeanwhile() {
        crash.whilePaying();
        crash.bench.clock.advance(Duration.ofSeconds(10));
        crash.bench.agent().halt("incident 42");

        assertThat(crash.bench.agent().actOnTime()).isZero();
        crash.bench.agent().release("mended");

        assertThat(crash.bench.agent().actOnTime()).isEqualTo(1);
        assertThat(crash.bench.pending(0)).isInstanceOf(PendingInterrupt.UnknownOutcome.class);
    }

    @Test
    void aRunThatIsOnlyLateIsLeftAlone() {
        crash.whilePaying();

        assertThat(crash.bench.agent().unfinished()).isZero();
        assertThat(crash.bench.agent().actOnTime()).isZero();
        assertThat(crash.bench.pending()).isEmpty();
    }

    @Test
    void whatMayRunAgainWithoutAskingWaitsForTheOwner() {
        crash.bench.model.calls(io.holdpoint.test.ScriptedModel.call("c1", "book", "{\"amount\":20}"));
        crash.bench.say("Book");
        crash.in("book", crash.bench.pending(0).asApproval().approve());

        crash.bench.clock.advance(Duration.ofSeconds(10));
        assertThat(crash.bench.agent().actOnTime()).isZero();
        assertThat(crash.effects()).containsExactly("book 20");

        crash.bench.model.says("Booked.");
        assertThat(crash.bench.nothingNew().text()).isEqualTo("Booked.");
        assertThat(crash.effects()).containsExactly("book 20", "book 20");
    }
}
