package io.holdpoint.internal.run;

import io.holdpoint.Caller;
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
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiFunction;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * Does what time has to do: the steps of questions that nobody answers, and the questions about calls whose run has died. It never
 * runs a tool; a turn that goes on does so in a run of its own. A thread that is found is looked at again under the thread's lease, and done
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

    /** The most turns that go on at a time. */
    private static final int MOST_RUNS = 16;

    private final AgentConfig<?> config;
    private final Upkeep upkeep;
    private final BooleanSupplier open;
    private final BiFunction<Caller, String, CompletableFuture<?>> goOn;
    private final AtomicInteger running = new AtomicInteger();
    private final Set<String> failed = ConcurrentHashMap.newKeySet();

    /** The agent's own looks end when it is not {@code open} any more. {@code goOn} starts a run for a thread's owner. */
    Timekeeper(
            AgentConfig<?> config,
            Heartbeat heartbeat,
            BooleanSupplier open,
            BiFunction<Caller, String, CompletableFuture<?>> goOn) {
        this.config = config;
        this.upkeep = new Upkeep(config, heartbeat, TimeStep.TIME);
        this.open = open;
        this.goOn = goOn;
    }

    /** Looks again and again. An agent that nobody holds any more ends. */
    void looksFromNowOn() {
        WeakReference<Timekeeper> keeper = new WeakReference<>(this);
        TIMER.after(INTERVAL, () -> {
            Timekeeper present = keeper.get();
            if (present != null && present.open.getAsBoolean()) {
                TIMER.aside(present::look);
            }
        });
    }

    private void look() {
        try {
            now();
        } catch (RuntimeException e) {
            LOG.warn("Looking at what is due failed; it is tried again after {} seconds", INTERVAL.toSeconds(), e);
        } finally {
            looksFromNowOn();
        }
    }

    /** Does what is due at present, and tells in how many threads something was. */
    public int now() {
        return each(Wanted.DUE) + each(Wanted.DESERTED);
    }

    private int each(Wanted what) {
        Instant now = config.clock.instant();
        int done = 0;
        Place last = Place.FIRST;
        List<Place> page;
        do {
            page = config.store.threads(what, config.name, last, now, LIMIT);
            for (Place thread : page) {
                last = thread;
                if (!open.getAsBoolean() || running.get() >= MOST_RUNS) {
                    return done; // the next look goes on with what has been due for longest
                }
                done += quietly(thread.threadId()) ? 1 : 0;
            }
        } while (page.size() == LIMIT);
        return done;
    }

    /** A thread that fails keeps nothing from the others. */
    private boolean quietly(String threadId) {
        try {
            boolean done = attend(threadId);
            failed.remove(threadId);
            return done;
        } catch (RuntimeException e) {
            LOG.atLevel(failed.add(threadId) ? Level.WARN : Level.DEBUG)
                    .setCause(e)
                    .log(
                            "What is due in the thread {} could not be done. It is tried again at every look; said once",
                            threadId);
            return false;
        }
    }

    private boolean attend(String threadId) {
        CompletableFuture<Caller> goesOn = new CompletableFuture<>();
        boolean done = upkeep.on(threadId, (run, lease) -> {
            Optional<Batch> found = run.found.flatMap(ThreadRecord::batch);
            Optional<Batch> next = found.flatMap(this::next);
            next.map(Commit::of).ifPresent(run::commit);
            Optional<Batch> ended = next.or(() -> found).filter(Timekeeper::isEndedByTime);
            ended.filter(Batch::isOver).ifPresent(new BatchSettlement(run)::settle);
            ended.filter(batch -> !batch.isOver())
                    .ifPresent(batch ->
                            goesOn.complete(new Caller(run.owner, batch.turn().roles())));
            return next.isPresent();
        });
        if (goesOn.isDone()) {
            goOn(goesOn.join(), threadId);
        }
        return done;
    }

    /** The steps that are due, or a person's questions about the calls of unknown outcome that a run has left which died. */
    private Optional<Batch> next(Batch batch) {
        Instant now = config.clock.instant();
        return batch.timed(now).or(() -> OutcomeUnknown.askAbout(batch, now));
    }

    /** Also one that another look has ended, and then died. */
    private static boolean isEndedByTime(Batch batch) {
        return !batch.isOpen() && batch.dueAt().isPresent();
    }

    private void goOn(Caller owner, String threadId) {
        running.incrementAndGet();
        try {
            goOn.apply(owner, threadId).whenComplete((result, failure) -> running.decrementAndGet());
        } catch (RuntimeException | Error e) { // it was not started, and is still due
            running.decrementAndGet();
            throw e;
        }
    }
}
