package io.holdpoint.internal.lease;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdpoint.store.InMemoryStore;
import io.holdpoint.store.LeaseLostException;
import io.holdpoint.store.Store;
import io.holdpoint.store.Store.Lease;
import io.holdpoint.test.VirtualClock;
import io.holdpoint.testing.ForwardingStore;
import io.holdpoint.testing.Logs;
import io.holdpoint.testing.ManualTimer;
import io.holdpoint.testing.Unchecked;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Logs({"Lease* could not be renewed", "Lease* was lost", "Leases are not renewed"})
class HeartbeatTest {

    private static final Duration LEASE = Duration.ofSeconds(30);
    private static final int THREADS = 60;

    private final ManualTimer timer = new ManualTimer();
    private final VirtualClock clock = new VirtualClock();
    private final Store store = new InMemoryStore();
    private final Heartbeat heartbeat = new Heartbeat(timer, LEASE);

    private RunLease run(String thread) {
        return RunLease.keepAlive(store, acquire(thread), clock, LEASE, heartbeat);
    }

    private Lease acquire(String thread) {
        return store.acquire(
                        thread, "r", "ada", clock.instant(), clock.instant().plus(LEASE))
                .orElseThrow();
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
        lease.renew();

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

    /** A store that is not written in Java. */
    @Test
    void aStoreThatThrowsWhateverKeepsNoOtherLeaseFromItsBeat() {
        Store broken = new ForwardingStore() {
            @Override
            protected Store store() {
                throw Unchecked.<RuntimeException>of(new IOException("connection reset"));
            }
        };
        RunLease.keepAlive(broken, acquire("t1"), clock, LEASE, heartbeat);
        run("t2");
        RunLease.keepAlive(broken, acquire("t3"), clock, LEASE, heartbeat);
        clock.advance(LEASE.minusNanos(1));
        timer.ring();
        clock.advance(LEASE.minusNanos(1));

        assertThat(isFree("t2")).isFalse();
    }

    @Test
    void aTimerWithoutAThreadIsAskedAgainByTheNextRun() {
        AtomicInteger asked = new AtomicInteger();
        ManualTimer weakTimer = new ManualTimer() {
            @Override
            public Runnable after(Duration delay, Runnable task) {
                if (asked.incrementAndGet() == 1) {
                    throw new OutOfMemoryError("unable to create native thread");
                }
                return () -> {};
            }
        };
        Heartbeat weak = new Heartbeat(weakTimer, LEASE);
        RunLease first = RunLease.keepAlive(store, acquire("t1"), clock, LEASE, weak);

        weak.add(first);

        assertThat(asked).hasValue(2);
    }

    @Test
    void aBeatWithoutAThreadIsMadeUpForByTheNext() {
        AtomicInteger asked = new AtomicInteger();
        ManualTimer weakTimer = new ManualTimer() {
            @Override
            public void aside(Runnable task) {
                if (asked.incrementAndGet() == 1) {
                    throw new OutOfMemoryError("unable to create native thread");
                }
                super.aside(task);
            }
        };
        Heartbeat weak = new Heartbeat(weakTimer, LEASE);
        RunLease.keepAlive(store, acquire("t1"), clock, LEASE, weak);

        weakTimer.ring();
        clock.advance(LEASE.minusNanos(1));
        weakTimer.ring();
        clock.advance(LEASE.minusNanos(1));

        assertThat(isFree("t1")).isFalse();
    }

    /** A store in which the renewal of one thread's lease hangs: its row is locked, or its connection is gone. */
    private final class HangingStore extends ForwardingStore {

        private final CountDownLatch hangs = new CountDownLatch(1);
        private final CountDownLatch others = new CountDownLatch(THREADS - 1);
        private final CountDownLatch goesOn = new CountDownLatch(1);
        private final Set<String> renewed = ConcurrentHashMap.newKeySet();
        private final AtomicInteger hanging = new AtomicInteger();

        @Override
        protected Store store() {
            return store;
        }

        @Override
        public Renewal renew(Lease lease, Instant until) {
            if (lease.threadId().equals("t0")) {
                hanging.incrementAndGet();
                hangs.countDown();
                await(goesOn);
            } else if (renewed.add(lease.threadId())) {
                others.countDown();
            }
            return super.renew(lease, until);
        }
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    @Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void oneRenewalThatHangsDoesNotKeepOtherLeasesFromBeingRenewedAndHangsOnce() {
        List<Thread> started = new ArrayList<>();
        ManualTimer threaded = new ManualTimer() {
            @Override
            public void aside(Runnable task) {
                Thread thread = new Thread(task);
                started.add(thread);
                thread.start();
            }
        };
        HangingStore hanging = new HangingStore();
        Heartbeat beats = new Heartbeat(threaded, LEASE);
        for (int i = 0; i < THREADS; i++) {
            RunLease.keepAlive(hanging, acquire("t" + i), clock, LEASE, beats);
        }
        threaded.ring();
        await(hanging.hangs);

        threaded.ring();

        await(hanging.others);
        for (int beat = 0; beat < 10; beat++) {
            threaded.ring();
        }
        assertThat(hanging.hanging).hasValue(1);
        hanging.goesOn.countDown();
        assertThat(started).allSatisfy(thread -> thread.join());
    }

    @Test
    @Timeout(60)
    void theThreadsAreDaemons() {
        Scheduler.Daemon daemons = new Scheduler.Daemon();
        CompletableFuture<Thread> later = new CompletableFuture<>();
        CompletableFuture<Thread> aside = new CompletableFuture<>();
        daemons.after(Duration.ZERO, () -> later.complete(Thread.currentThread()));
        daemons.aside(() -> aside.complete(Thread.currentThread()));

        assertThat(later.join().isDaemon()).isTrue();
        assertThat(aside.join().isDaemon()).isTrue();
    }

    @Test
    @Timeout(60)
    void whatIsDoneAsideDoesNotKeepTheTimerFromItsTime() {
        Scheduler.Daemon daemons = new Scheduler.Daemon();
        CountDownLatch reached = new CountDownLatch(1);
        daemons.aside(() -> await(reached));
        daemons.aside(() -> await(reached));
        daemons.after(Duration.ZERO, reached::countDown);

        await(reached);
        assertThat(reached.getCount()).isZero();
    }

    @Test
    void aTaskThatIsCancelledLeavesTheTimer() {
        Scheduler.Daemon daemons = new Scheduler.Daemon();

        Runnable cancel = daemons.after(Duration.ofDays(200_000), () -> {});
        assertThat(daemons.isIdle()).isFalse();
        cancel.run();

        assertThat(daemons.isIdle()).isTrue();
    }
}
