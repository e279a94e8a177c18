package io.holdpoint.internal.run;

import io.holdpoint.Caller;
import io.holdpoint.ErrorCode;
import io.holdpoint.RunRejectedException;
import io.holdpoint.RunResult;
import io.holdpoint.internal.agent.AgentConfig;
import io.holdpoint.internal.agent.InnerAgent;
import io.holdpoint.internal.lease.ClockPace;
import io.holdpoint.internal.lease.Scheduler;
import io.holdpoint.internal.question.OutcomeUnknown;
import io.holdpoint.internal.question.Restart;
import io.holdpoint.internal.turn.BatchSettlement;
import io.holdpoint.store.Batch;
import io.holdpoint.store.Change;
import io.holdpoint.store.Commit;
import io.holdpoint.store.LeaseLostException;
import io.holdpoint.store.Store.Place;
import io.holdpoint.store.Store.ThreadRecord;
import io.holdpoint.store.Store.Wanted;
import io.holdpoint.store.TimeStep;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiFunction;
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

    /** The looks of an hour: the clocks are compared at the first, and then each hour. */
    private static final int LOOKS_AN_HOUR = 360;

    /** The most by which the clocks of a server and of the database may differ. */
    private static final Duration CLOCKS = Duration.ofSeconds(5);

    private static final Logger LOG = LoggerFactory.getLogger(Timekeeper.class);

    /** One for all agents of the process, because nothing hangs on the moment of a look. */
    private static final Scheduler TIMER = new Scheduler.Daemon();

    /** The time after which an ended lease need not be watched, where a process may have one look only. */
    private static final Duration LONG_AGO = Duration.ofMinutes(10);

    /** The most ended leases that are watched. */
    private static final int MOST_WATCHED = 10_000;

    /** The most that one page names. */
    private static final int LIMIT = 100;

    /** The most that are counted. */
    private static final int MOST_COUNTED = 1_000;

    /** The most turns that go on at a time. */
    private static final int MOST_RUNS = 16;

    private final AgentConfig<?> config;
    private final Maintenance maintenance;
    private final ActiveRuns active;
    private final BiFunction<Caller, String, CompletableFuture<RunResult>> goOn;
    private final AtomicInteger running = new AtomicInteger();
    /** The looks in vain in a row, by what they have found: it is tried at fewer and fewer looks, every 256th at last. */
    private final Map<Place, Integer> inVain = new ConcurrentHashMap<>();
    /** The ended leases that the last look has found, each with the time by the timer when it was found first. */
    private volatile Map<Place, Long> watched = Map.of();

    private final AtomicInteger looks = new AtomicInteger();
    private final ClockPace pace;
    /** As the present look found the agent: people are not asked then, and no turn goes on; what expires does. */
    private volatile boolean halted;

    /**
     * The agent's own looks end when it is not open any more; threads that are active here are left alone. {@code goOn} starts a
     * run for a thread's owner.
     */
    Timekeeper(
            AgentConfig<?> config, ActiveRuns active, BiFunction<Caller, String, CompletableFuture<RunResult>> goOn) {
        this.config = config;
        this.maintenance = new Maintenance(config, TimeStep.TIME);
        this.active = active;
        this.goOn = goOn;
        this.pace = new ClockPace(config.clock, TIMER);
    }

    /**
     * Looks again and again, as long as the clock runs; for an agent that works as a tool the other one does. An agent that nobody holds
     * any more ends.
     */
    void looksFromNowOn() {
        if (config.isTool()) {
            return;
        }
        WeakReference<Timekeeper> keeper = new WeakReference<>(this);
        TIMER.after(INTERVAL, () -> {
            Timekeeper present = keeper.get();
            if (present != null && present.active.isOpen()) {
                TIMER.aside(present::look);
            }
        });
    }

    private void look() {
        boolean goesOn = true;
        try {
            if (pace.look()) {
                look(false);
            }
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

    /** Does what is due at present, and tells in how many threads something was; its process has other looks unless it is the {@code only} one. */
    public int look(boolean only) {
        if (looks.getAndIncrement() % LOOKS_AN_HOUR == 0 && !config.isTool() && pace.runs()) {
            compareClocks();
        }
        config.inner().forEach(inner -> lookInside(inner, only)); // first, so that what is asked there is asked here
        Map<Place, Long> before = watched;
        watched = Map.of(); // if this look fails, the database may be away, and no run can renew its lease
        halted = config.store.halted().isPresent();
        Instant now = config.clock.instant();
        List<Place> due = config.isTool() ? List.of() : all(Wanted.DUE, now); // or the other agent would not know of it
        int done = each(Wanted.DUE, due);
        List<Place> dead = dead(before, only);
        done += halted ? 0 : each(Wanted.DESERTED, dead); // their leases say so until people are asked
        Set<Place> found = new HashSet<>(due);
        found.addAll(dead);
        inVain.keySet().retainAll(found);
        return done;
    }

    /** Each server decides by its own clock what has expired, which is as good as their difference. */
    private void compareClocks() {
        Instant before = config.clock.instant();
        Optional<Instant> other = config.store.time();
        Instant after = config.clock.instant();
        if (other.filter(time -> time.isBefore(before.minus(CLOCKS)) || time.isAfter(after.plus(CLOCKS)))
                .isPresent()) {
            Duration ahead = Duration.between(other.get(), after);
            LOG.warn(
                    "The clock of this server is {} s {} the database's, so questions expire and leases end too {}."
                            + " Synchronise both with a time server (NTP); they are compared again in an hour",
                    ahead.abs().toSeconds(),
                    ahead.isNegative() ? "behind" : "ahead of",
                    ahead.isNegative() ? "late" : "early");
        }
    }

    /** An agent inside has a store of its own, which may be away. */
    private static void lookInside(InnerAgent inner, boolean only) {
        try {
            inner.look(only);
        } catch (Throwable e) { // a missing class too, and not every store is written in Java
            LOG.warn("Looking at what is due in the tool \"{}\" failed; the next look tries again", inner.name(), e);
        }
    }

    /** Counts the threads whose run has died, and with which nobody has dealt yet. */
    public int deserted() {
        Instant late = config.clock.instant().minus(INTERVAL); // a beat may be
        return config.store
                .threads(Wanted.DESERTED, Place.FIRST, late, MOST_COUNTED)
                .size();
    }

    /**
     * The leases of runs that have died. A run that lives renews its lease, also one whose lease has ended because the database was
     * away, or by the clock of this server; so a lease has to stay as it is for longer than a renewal takes.
     */
    private List<Place> dead(Map<Place, Long> before, boolean only) {
        Map<Place, Long> ended = new HashMap<>();
        List<Place> dead = new ArrayList<>();
        Instant longAgo = config.clock.instant().minus(LONG_AGO);
        long renewal = config.leaseDuration.dividedBy(3).plus(INTERVAL).toNanos();
        long asked = config.timer.nanoTime();
        List<Place> found = all(Wanted.DESERTED, config.clock.instant());
        long told = config.timer.nanoTime();
        for (Place lease : found) {
            long first = before.getOrDefault(lease, told);
            if (asked - first >= renewal || only && !lease.at().isAfter(longAgo)) {
                dead.add(lease);
            }
            if (ended.size() < MOST_WATCHED) {
                ended.put(lease, first);
            }
        }
        watched = ended;
        return dead;
    }

    private List<Place> all(Wanted what, Instant until) {
        List<Place> all = new ArrayList<>();
        Place last = Place.FIRST;
        List<Place> page;
        do {
            page = config.store.threads(what, last, until, LIMIT);
            all.addAll(page);
            last = page.isEmpty() ? last : page.get(page.size() - 1);
        } while (page.size() == LIMIT);
        return all;
    }

    private int each(Wanted what, List<Place> found) {
        int done = 0;
        for (Place thread : found) {
            if (!active.isOpen()) {
                return done;
            }
            done += isTurnOf(thread) && quietly(what, thread) ? 1 : 0;
        }
        return done;
    }

    private boolean isTurnOf(Place found) {
        return !active.isOn(found.threadId()) && looks.get() % (1 << Math.min(8, inVain.getOrDefault(found, 0))) == 0;
    }

    /** A thread that fails keeps nothing from the others. */
    private boolean quietly(Wanted what, Place found) {
        try {
            return attend(what, found);
        } catch (Throwable e) { // a missing class too, and not every memory is written in Java
            if (isOvertaken(e)) {
                LOG.debug("Another run has come to the thread {} first", found.threadId(), e);
                return false;
            }
            LOG.atLevel(inVain.merge(found, 1, Integer::sum) == 1 ? Level.WARN : Level.DEBUG)
                    .setCause(e)
                    .log(
                            "Due work on thread {} failed; retrying with increasing delay (logged once)",
                            found.threadId());
            return false;
        }
    }

    private static boolean isOvertaken(Throwable failure) {
        return failure instanceof LeaseLostException
                || failure instanceof RunRejectedException refused && refused.code() == ErrorCode.RUN_IN_PROGRESS;
    }

    private boolean attend(Wanted what, Place thread) {
        if (!hasWork(what, config.store.find(thread.threadId()).flatMap(ThreadRecord::batch))) {
            inVain.merge(thread, 1, Integer::sum); // an ended lease has to stay: it is how a run that died is found
            return false;
        }
        Instant endedBy = what == Wanted.DESERTED ? thread.at() : Instant.MIN; // or only a thread that nobody has
        CompletableFuture<Caller> goesOn = new CompletableFuture<>();
        boolean done = maintenance.on(thread.threadId(), endedBy, (run, lease) -> {
            Optional<Batch> found = run.found.flatMap(ThreadRecord::batch);
            Optional<Batch> last = found;
            Optional<Batch> next = found.flatMap(this::nextWithInside);
            while (next.isPresent()) {
                run.journal.commit(Commit.of(next.get()));
                last = next;
                next = next.flatMap(this::nextWithInside);
            }
            Optional<Batch> ended = last.filter(this::isEndedByTime);
            ended.filter(Batch::isOver).ifPresent(new BatchSettlement(run)::settle);
            ended.filter(batch -> !batch.isOver())
                    .ifPresent(batch ->
                            goesOn.complete(new Caller(run.owner, batch.turn().roles())));
            return !last.equals(found);
        });
        if (!goesOn.isDone()) {
            inVain.remove(thread);
        } else if (!halted
                && running.get() < MOST_RUNS) { // or it goes on at a later look: it is due as long as it has not
            goOn(goesOn.join(), thread);
        }
        return done;
    }

    /** A turn without a batch has nothing that people have decided, and nothing would ever settle it: its lease is given back. */
    private boolean hasWork(Wanted what, Optional<Batch> found) {
        return found.isEmpty()
                ? what == Wanted.DESERTED
                : found.flatMap(this::next).isPresent()
                        || found.filter(this::isEndedByTime)
                                .filter(batch -> !halted || batch.isOver())
                                .isPresent();
    }

    /** Takes the steps before the end inside first. Where they have to wait, so do those here. */
    private Optional<Batch> nextWithInside(Batch batch) {
        Instant now = config.clock.instant();
        Optional<Batch> next = next(batch);
        boolean isStep =
                next.stream().flatMap(after -> after.changes().stream()).anyMatch(Change.Timed.class::isInstance);
        try {
            return !isStep || halted || stepInside(config, batch, now) ? next : ended(batch, now);
        } catch (Throwable away) { // a missing class too, and not every store is written in Java
            Optional<Batch> ended = ended(batch, now);
            if (ended.isEmpty()) {
                throw away;
            }
            return ended;
        }
    }

    private static Optional<Batch> ended(Batch batch, Instant now) {
        return batch.timed(now, step -> step.kind().isEnd());
    }

    /**
     * A person's questions about the calls of unknown outcome that a run has left which died, or else the steps that are due: of an agent
     * that works as a tool those are the other agent's, which may be halted.
     */
    private Optional<Batch> next(Batch batch) {
        Instant now = config.clock.instant();
        if (halted && !config.isTool()) {
            return ended(batch, now);
        }
        Optional<Batch> asked = OutcomeUnknown.askAbout(batch, now).or(() -> Restart.askInside(config, batch, now));
        return config.isTool() ? asked : asked.or(() -> batch.timed(now, step -> true));
    }

    /**
     * Takes the steps that are due of questions that agents inside ask, there: whoever is asked as well may decide there from then on.
     * Their end is the other agent's, which cancels the task. {@code false} if one of them is halted, or at work.
     */
    private boolean stepInside(AgentConfig<?> outer, Batch batch, Instant now) {
        return batch.openQuestions().stream()
                .filter(question -> question.timeline().stream()
                        .filter(step -> !now.isBefore(step.at()))
                        .reduce((earlier, later) -> later)
                        .filter(last -> !last.kind().isEnd())
                        .isPresent())
                .flatMap(question -> Restart.inside(outer, batch.threadId(), question).stream())
                .allMatch(inside ->
                        stepInside(inside.agent().config(), inside.thread().threadId(), now));
    }

    private boolean stepInside(AgentConfig<?> inner, String threadId, Instant now) {
        return inner.store.halted().isEmpty()
                && new Maintenance(inner, TimeStep.TIME).on(threadId, (run, lease) -> {
                    Batch batch = run.found.flatMap(ThreadRecord::batch).orElseThrow();
                    boolean may = stepInside(inner, batch, now);
                    batch.timed(now, step -> !step.kind().isEnd())
                            .filter(next -> may)
                            .ifPresent(next -> run.journal.commit(Commit.of(next)));
                    return may;
                });
    }

    /** Also one that another look has ended, and then died. */
    private boolean isEndedByTime(Batch batch) {
        return !config.isTool() && !batch.isOpen() && batch.dueAt().isPresent();
    }

    private void goOn(Caller owner, Place thread) {
        running.incrementAndGet();
        try {
            goOn.apply(owner, thread.threadId()).whenComplete((result, failure) -> {
                running.decrementAndGet();
                if (result instanceof RunResult.Failed) {
                    inVain.merge(thread, 1, Integer::sum);
                } else {
                    inVain.remove(thread);
                }
            });
        } catch (RuntimeException | Error e) { // it was not started, and is still due
            running.decrementAndGet();
            throw e;
        }
    }
}
