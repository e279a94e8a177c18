package io.holdpoint.reach;

import static io.holdpoint.test.ScriptedModel.call;
import static io.holdpoint.testing.Bench.MAIL;
import static io.holdpoint.testing.Bench.THREAD;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdpoint.Holdpoint;
import io.holdpoint.hook.ReaderStatus;
import io.holdpoint.hook.RunObserver;
import io.holdpoint.store.Fact;
import io.holdpoint.store.Store;
import io.holdpoint.store.StoreException;
import io.holdpoint.testing.Bench;
import io.holdpoint.testing.ForwardingStore;
import io.holdpoint.testing.Logs;
import io.holdpoint.testing.ManualTimer;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** An agent whose clock is the system's tells by itself. */
class NotifierByItselfTest {

    private static void hold(Bench bench) {
        bench.model.calls(call("c1", "sendEmail", MAIL));
        bench.agent().send(THREAD, "Go");
    }

    /** The agent's clock is the system's, so that it tells by itself; nothing here waits for a time. */
    @Test
    @Timeout(60)
    void anAgentTellsByItselfAndASlowNotifierDelaysNoRun() throws InterruptedException {
        CountDownLatch isTold = new CountDownLatch(1);
        CountDownLatch goesOn = new CountDownLatch(1);
        Bench bench = new Bench(builder -> builder.with(Reach.notifier("mail", notice -> {
                    isTold.countDown();
                    goesOn.await();
                }))
                .clock(Clock.systemUTC()));
        hold(bench);
        assertThat(isTold.await(40, TimeUnit.SECONDS)).isTrue();
        bench.model.says("Done.");
        bench.agent().resume(THREAD, bench.pending(0).asApproval().approve());

        assertThat(bench.tools.effects()).hasSize(1);
        assertThat(Reach.of(bench.agent()).notifiers().get(0).waitingSince()).isPresent();
        goesOn.countDown();
        bench.agent().close();
    }

    @Test
    @Logs("The notifier \"mail\" failed on *")
    void whatANotifierIsNotToldOfIsReported() {
        Bench bench = new Bench();
        List<ReaderStatus> reported = new ArrayList<>();
        List<ReaderStatus> whileTold = new ArrayList<>();
        Holdpoint agent =
                bench.another(builder -> builder.observers(reporting(reported)).with(Reach.notifier("mail", notice -> {
                    whileTold.add(reported.get(reported.size() - 1));
                    throw new IllegalStateException("no connection");
                })));
        Instant held = bench.clock.instant();
        bench.model.calls(call("c1", "sendEmail", MAIL));
        agent.send(THREAD, "Write to Ada");
        for (int hour = 0; hour < 20; hour++) {
            agent.actOnTime();
            bench.clock.advance(Duration.ofHours(1));
        }
        agent.actOnTime();

        assertThat(whileTold.subList(0, 3))
                .extracting(ReaderStatus::waitingSince)
                .containsOnly(Optional.of(held));
        assertThat(reported)
                .last()
                .isEqualTo(new ReaderStatus(
                        "",
                        "mail",
                        Optional.empty(),
                        1,
                        20,
                        Optional.of("java.lang.IllegalStateException: no connection")));
    }

    private static RunObserver reporting(List<ReaderStatus> reported) {
        return new RunObserver() {

            @Override
            public void reader(ReaderStatus status) {
                reported.add(status);
            }
        };
    }

    @Test
    @Logs("Notifier \"mail\" failed*")
    void aReaderThatCannotReadIsInTheMetersUntilItCan() {
        ManualTimer timer = new ManualTimer();
        Bench bench = new Bench();
        List<ReaderStatus> reported = new ArrayList<>();
        AtomicBoolean isDown = new AtomicBoolean();
        Holdpoint agent = bench.another(builder -> timer.in(builder)
                .clock(Clock.systemUTC())
                .observers(reporting(reported))
                .store(new ForwardingStore() {

                    @Override
                    protected Store store() {
                        return bench.store;
                    }

                    @Override
                    public List<Fact> facts(String kind, String place) {
                        if (isDown.get()) {
                            throw new StoreException("no connection");
                        }
                        return super.facts(kind, place);
                    }
                })
                .with(Reach.notifier("mail", notice -> {})));
        isDown.set(true);
        for (int look = 0; look < 2; look++) {
            timer.ring(Duration.ofSeconds(5));
            timer.ring(Duration.ZERO);
        }

        ReaderStatus failing = Reach.of(agent).notifiers().get(0);
        assertThat(reported).hasSize(2).last().isEqualTo(failing);
        assertThat(failing.failures()).isEqualTo(2);
        assertThat(failing.lastError().orElseThrow()).contains("no connection");
        assertThat(failing.waitingSince()).isPresent().isEqualTo(reported.get(0).waitingSince());
        isDown.set(false);
        timer.ring(Duration.ofSeconds(5));
        timer.ring(Duration.ZERO);
        assertThat(Reach.of(agent).notifiers().get(0).waitingSince()).isEmpty();
    }

    /** The clock is an application's own, for which time passes as for everybody. */
    @Test
    void anAgentTellsByItselfAlsoByAClockOfTheApplicationsOwn() {
        ManualTimer timer = new ManualTimer();
        List<Notice> told = new ArrayList<>();
        Bench bench = new Bench(builder -> timer.in(builder).with(Reach.notifier("mail", told::add)));
        hold(bench);
        timer.ring();
        assertThat(told).as("the clock stands").isEmpty();
        timer.advance(Duration.ofSeconds(5));
        bench.clock.advance(Duration.ofSeconds(5));

        timer.ring(Duration.ofSeconds(5));
        timer.ring(Duration.ZERO);

        assertThat(told).hasSize(1);
    }

    /** The timer is the test's, so that nothing here waits for a time. */
    @Test
    void aNotifierAtWorkIsLookedForByOneTimerAndBeatsByOneHoweverLongItWorks() {
        ManualTimer timer = new ManualTimer();
        List<Integer> waiting = new ArrayList<>();
        Bench bench =
                new Bench(builder -> timer.in(builder).clock(Clock.systemUTC()).with(Reach.notifier("mail", notice -> {
                    for (int tick = 0; tick < 5; tick++) {
                        CompletableFuture.runAsync(timer::ring).join();
                        waiting.add(timer.waiting());
                    }
                })));
        int before = timer.waiting();
        hold(bench);
        timer.ring(Duration.ofMillis(100));

        assertThat(waiting).hasSize(5);
        assertThat(waiting.get(4)).isEqualTo(waiting.get(1));
        assertThat(timer.waiting()).isLessThanOrEqualTo(before + 1); // it looks once more, and has stopped to beat
    }
}
