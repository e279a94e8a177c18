package io.holdpoint.internal.run;

import io.holdpoint.Caller;
import io.holdpoint.RunResult;
import io.holdpoint.internal.agent.AgentConfig;
import io.holdpoint.internal.lease.Heartbeat;
import io.holdpoint.internal.lease.Scheduler;
import io.holdpoint.internal.question.OutcomeUnknown;
import io.holdpoint.internal.turn.BatchSettlement;
import io.holdpoint.store.Batch;
import io.holdpoint.store.Commit;
import io.holdpoint.store.Store.Place;
import io.holdpoint.store.Store.ThreadRecord;
import io.holdpoint.store.Store.Wanted;
import io.holdpoint.store.TimeStep;
import java.lang.ref.WeakReference;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiFunction;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * Does what time has to do: the steps of questions that nobody answers, and the questions about calls whose run has died. It never
 * runs a tool; a turn that goes on does so in a run of its own. A thread that was found is looked at again under its lease, and each step is done
 * once over all nodes, because it is a version of the batch. Thread-safe.
 */
public final class Timekeeper {

    /** The time between two looks that an agent takes by itself. */
    static final Duration INTERVAL = Duration.ofSeconds(10);

    private static final Logger LOG = LoggerFactory.getLogger(Timekeeper.class);

    /** One for all agents of the process, because nothing hangs on the moment of a look. */
    private static final Scheduler TIMER = new Scheduler.Daemon();

    /** The most that one page names. */
    private static final int LIMIT = 100;

    /** The most that are counted. */
    private static final int MOST_COUNTED = 1_000;

    /** The most turns that go on at a time. */
    private static final int MOST_RUNS = 16;

    private final AgentConfig<?> config;
    private final Maintenance maintenance;
    private final BooleanSupplier open;
    private final Predicate<String> isActive;
    private final BiFunction<Caller, String, CompletableFuture<RunResult>> goOn;
    private final AtomicInteger running = new AtomicInteger();
    /** The failures in a row, by thread: it is tried at fewer and fewer looks, every 256th at last. */
    private final Map<String, Integer> failures = new ConcurrentHashMap<>();

    private final AtomicInteger looks = new AtomicInteger();
    /** As the present look found the agent: people are not asked then, and no turn goes on; what expires does. */
    private volatile boolean halted;

    /**
     * The agent's own looks end when it is not {@code open} any more; threads that are active here are left alone. {@code goOn} starts a
     * run for a thread's owner.
     */
    Timekeeper(
            AgentConfig<?> config,
            Heartbeat heartbeat,
            BooleanSupplier open,
            Predicate<String> isActive,
            BiFunction<Caller, String, CompletableFuture<RunResult>> goOn) {
        this.config = config;
        this.maintenance = new Maintenance(config, heartbeat, TimeStep.TIME);
        this.open = open;
        this.isActive = isActive;
        this.goOn = goOn;
    }

    /** Looks again and again, unless the application's own clock tells the time. An agent that nobody holds any more ends. */
    void looksFromNowOn() {
        if (config.clock.getClass() != Clock.systemUTC().getClass()) {
            return;
        }
        WeakReference<Timekeeper> keeper = new WeakReference<>(this);
        TIMER.after(INTERVAL, () -> {
            Timekeeper present = keeper.get();
            if (present != null && present.open.getAsBoolean()) {
                TIMER.aside(present::look);
            }
        });
    }

    private void look() {
        boolean goesOn = true;
        try {
            now();
        } catch (LinkageError gone) { // the class loader of an application that was not closed is
            goesOn = false;
        } catch (RuntimeException e) {
            LOG.warn("Looking at what is due failed; it is tried again after {} seconds", INTERVAL.toSeconds(), e);
        } finally {
            if (goesOn) {
                looksFromNowOn();
            }
        }
    }

    /** Does what is due at present, and tells in how many threads something was. */
    public int now() {
        looks.incrementAndGet();
        halted = config.store.halted(config.name).isPresent();
        int done = each(Wanted.DUE, config.clock.instant());
        return halted ? done : done + each(Wanted.DESERTED, diedBefore()); // whose leases say so until people are asked
    }

    /** Counts the threads whose run has died, and with which no look has dealt yet. */
    public int deserted() {
        return config.store
                .threads(Wanted.DESERTED, config.name, Place.FIRST, diedBefore(), MOST_COUNTED)
                .size();
    }

    /** A beat may be late. */
    private Instant diedBefore() {
        return config.clock.instant().minus(INTERVAL);
    }

    private int each(Wanted what, Instant before) {
        int done = 0;
        Place last = Place.FIRST;
        List<Place> page;
        do {
            page = config.store.threads(what, config.name, last, before, LIMIT);
            for (Place thread : page) {
                last = thread;
                if (!open.getAsBoolean()) {
                    return done;
                }
                done += isTurnOf(thread.threadId()) && quietly(thread.threadId()) ? 1 : 0;
            }
        } while (page.size() == LIMIT);
        return done;
    }

    private boolean isTurnOf(String threadId) {
        return !isActive.test(threadId) && looks.get() % (1 << Math.min(8, failures.getOrDefault(threadId, 0))) == 0;
    }

    /** A thread that fails keeps nothing from the others. */
    private boolean quietly(String threadId) {
        try {
            return attend(threadId);
        } catch (RuntimeException e) {
            LOG.atLevel(failures.merge(threadId, 1, Integer::sum) == 1 ? Level.WARN : Level.DEBUG)
                    .setCause(e)
                    .log("Due work on thread {} failed; retrying with increasing delay (logged once)", threadId);
            return false;
        }
    }

    private boolean attend(String threadId) {
        if (halted && !endsSomething(config.store.find(threadId).flatMap(ThreadRecord::batch))) {
            return false; // an ended lease has to stay: it is how a run that died is found after the release
        }
        CompletableFuture<Caller> goesOn = new CompletableFuture<>();
        boolean done = maintenance.on(threadId, (run, lease) -> {
            Optional<Batch> found = run.found.flatMap(ThreadRecord::batch);
            Optional<Batch> next = found.flatMap(this::next);
            next.map(Commit::of).ifPresent(run.journal::commit);
            Optional<Batch> ended = next.or(() -> found).filter(Timekeeper::isEndedByTime);
            ended.filter(Batch::isOver).ifPresent(new BatchSettlement(run)::settle);
            ended.filter(batch -> !batch.isOver())
                    .ifPresent(batch ->
                            goesOn.complete(new Caller(run.owner, batch.turn().roles())));
            return next.isPresent();
        });
        if (!goesOn.isDone()) {
            failures.remove(threadId);
        } else if (!halted
                && running.get() < MOST_RUNS) { // or it goes on at a later look: it is due as long as it has not
            goOn(goesOn.join(), threadId);
        }
        return done;
    }

    private boolean endsSomething(Optional<Batch> found) {
        return found.flatMap(this::next).isPresent()
                || found.filter(Timekeeper::isEndedByTime).filter(Batch::isOver).isPresent();
    }

    /** The steps that are due, or a person's questions about the calls of unknown outcome that a run has left which died. */
    private Optional<Batch> next(Batch batch) {
        Instant now = config.clock.instant();
        return halted
                ? batch.timed(now, step -> step.kind().isEnd())
                : batch.timed(now, step -> true).or(() -> OutcomeUnknown.askAbout(batch, now));
    }

    /** Also one that another look has ended, and then died. */
    private static boolean isEndedByTime(Batch batch) {
        return !batch.isOpen() && batch.dueAt().isPresent();
    }

    private void goOn(Caller owner, String threadId) {
        running.incrementAndGet();
        try {
            goOn.apply(owner, threadId).whenComplete((result, failure) -> {
                running.decrementAndGet();
                if (result instanceof RunResult.Failed) {
                    failures.merge(threadId, 1, Integer::sum);
                } else {
                    failures.remove(threadId);
                }
            });
        } catch (RuntimeException | Error e) { // it was not started, and is still due
            running.decrementAndGet();
            throw e;
        }
    }
}
