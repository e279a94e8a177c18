package io.holdpoint.internal.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdpoint.store.InMemoryStore;
import io.holdpoint.store.LeaseLostException;
import io.holdpoint.store.Store;
import io.holdpoint.testing.ManualTimer;
import io.holdpoint.testing.MutableClock;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class HeartbeatTest {

    private static final Duration LEASE = Duration.ofSeconds(30);

    private final ManualTimer timer = new ManualTimer();
    private final MutableClock clock = new MutableClock();
    private final Store store = new InMemoryStore();
    private final Heartbeat heartbeat = new Heartbeat(timer, LEASE);

    private RunLease run(String thread) {
        var lease = store.acquire(
                        thread, "r", "ada", clock.instant(), clock.instant().plus(LEASE))
                .orElseThrow();
        return RunLease.keepAlive(store, lease, clock, LEASE, heartbeat);
    }

    private boolean isFree(String thread) {
        return store.acquire(
                        thread, "other", "bob", clock.instant(), clock.instant().plus(LEASE))
                .isPresent();
    }

    @Test
    void manyRunsAreOneBeat() {
        run("t1");
        run("t2");

        assertThat(timer.waiting()).isEqualTo(1);
        timer.ring();
        assertThat(timer.waiting()).isEqualTo(1);
    }

    @Test
    void theBeatStopsWithTheLastRunAndStartsWithTheNext() {
        run("t1").release();
        timer.ring();
        assertThat(timer.waiting()).isZero();

        run("t2");
        assertThat(timer.waiting()).isEqualTo(1);
    }

    @Test
    void everyBeatExtendsEveryLease() {
        run("t1");
        run("t2");
        clock.advance(LEASE.minusNanos(1));
        timer.ring();
        clock.advance(LEASE.minusNanos(1));

        assertThat(isFree("t1")).isFalse();
        assertThat(isFree("t2")).isFalse();
    }

    @Test
    void aReleasedLeaseIsFreeAndNotLost() {
        RunLease lease = run("t1");
        AtomicInteger lost = new AtomicInteger();
        lease.whenLost(lost::incrementAndGet);
        lease.release();
        lease.beat();

        assertThat(lost).hasValue(0);
        assertThat(lease.isLost()).isFalse();
        assertThat(isFree("t1")).isTrue();
    }

    @Test
    void aLostLeaseIsToldOnceAndRefusesFromThenOn() {
        RunLease lease = run("t1");
        AtomicInteger lost = new AtomicInteger();
        lease.whenLost(lost::incrementAndGet);
        clock.advance(LEASE);
        assertThat(isFree("t1")).isTrue();
        timer.ring();
        timer.ring();

        assertThat(lost).hasValue(1);
        assertThatThrownBy(lease::require).isInstanceOf(LeaseLostException.class);
        lease.whenLost(lost::incrementAndGet);
        assertThat(lost).hasValue(2);
    }

    @Test
    void oneThatCannotBeLookedAfterDoesNotKeepTheOthersFromTheirBeat() {
        for (String thread : new String[] {"t1", "t2", "t3"}) {
            RunLease lease = run(thread);
            lease.whenLost(() -> {
                throw new RejectedExecutionException("full");
            });
        }
        clock.advance(LEASE.minusNanos(1));
        RunLease living = run("t4");
        clock.advance(Duration.ofNanos(1));
        for (String thread : new String[] {"t1", "t2", "t3"}) {
            assertThat(isFree(thread)).isTrue();
        }
        timer.ring();
        clock.advance(LEASE.minusNanos(1));

        assertThat(isFree("t4")).isFalse();
        living.require();
    }

    @Test
    void aTimerWithoutAThreadIsAskedAgainByTheNextRun() {
        AtomicInteger asked = new AtomicInteger();
        Heartbeat weak = new Heartbeat(
                (delay, task) -> {
                    if (asked.incrementAndGet() == 1) {
                        throw new OutOfMemoryError("unable to create native thread");
                    }
                },
                LEASE);
        RunLease first = RunLease.keepAlive(
                store,
                store.acquire("t1", "r", "ada", clock.instant(), clock.instant().plus(LEASE))
                        .orElseThrow(),
                clock,
                LEASE,
                weak);

        weak.add(first);

        assertThat(asked).hasValue(2);
    }

    @Test
    @Timeout(30)
    void theThreadIsADaemon() {
        CompletableFuture<Thread> thread = new CompletableFuture<>();
        new DaemonTimer().after(Duration.ZERO, () -> thread.complete(Thread.currentThread()));

        assertThat(thread.join().isDaemon()).isTrue();
    }
}
