package io.holdpoint.internal.run;

import io.holdpoint.Retention;
import io.holdpoint.Retention.Purged;
import io.holdpoint.internal.agent.AgentConfig;
import io.holdpoint.internal.agent.InnerAgent;
import io.holdpoint.internal.turn.BatchSettlement;
import io.holdpoint.internal.turn.Run;
import io.holdpoint.store.Batch;
import io.holdpoint.store.Call;
import io.holdpoint.store.Call.Answer;
import io.holdpoint.store.Call.Question;
import io.holdpoint.store.Commit;
import io.holdpoint.store.Store;
import io.holdpoint.store.Store.Old;
import io.holdpoint.store.Store.Place;
import io.holdpoint.store.Store.ThreadRecord;
import io.holdpoint.store.Store.Wanted;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BiPredicate;
import java.util.function.IntSupplier;
import java.util.function.LongPredicate;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Applies the retention until no record is due: settles abandoned batches as expired, and removes what was kept long enough.
 * Thread-safe, also between nodes, because a thread is worked on under its lease.
 *
 * <p>Every transaction is small, and the purges that an agent does by itself rest after each as long as it took, so that runs
 * get at the store. A thread that fails is skipped. After {@value #LIMIT} failures the purge stops; the next purge
 * continues after the last thread.
 */
public final class Purge {

    /** The most that one transaction removes, or one page names. */
    static final int LIMIT = 100;

    /** The shortest time between two purges that an agent does by itself. */
    static final Duration INTERVAL = Duration.ofMinutes(1);

    private static final Logger LOG = LoggerFactory.getLogger(Purge.class);
    private static final String CALLER = "holdpoint:retention";

    private static final Purged NOTHING = new Purged(0, 0, 0, 0);

    private final AgentConfig<?> config;
    private final Maintenance maintenance;
    private final ActiveRuns active;
    private final AtomicReference<Instant> due;
    /** The last purge that the agent began by itself. */
    private volatile CompletableFuture<Void> own = CompletableFuture.completedFuture(null);

    /** So long the agent asks its questions, or one around it. */
    private volatile Duration abandoned = Duration.ZERO;

    private final AtomicReference<Place> lastAbandoned = new AtomicReference<>(Place.FIRST);
    private final AtomicReference<Place> lastIdle = new AtomicReference<>(Place.FIRST);

    /** The agent's own purges end when it is no longer open. */
    Purge(AgentConfig<?> config, ActiveRuns active) {
        this.config = config;
        this.maintenance = new Maintenance(config, CALLER);
        this.active = active;
        this.due = new AtomicReference<>(config.clock.instant().plus(INTERVAL));
        keep(config.retention.abandoned());
    }

    /** Keeps unfinished batches for so long at least, and those of the agents inside, whose questions they ask. */
    public synchronized void keep(Duration abandoned) {
        if (abandoned.compareTo(this.abandoned) > 0) {
            this.abandoned = abandoned;
            for (InnerAgent inner : config.inner()) {
                inner.keep(abandoned);
            }
        }
    }

    /** Purges on the agent's executor when the interval is over. A failure is logged. */
    void whenDue() {
        Instant now = config.clock.instant();
        Instant time = due.get();
        if (now.isBefore(time) || !due.compareAndSet(time, Instant.MAX)) {
            return;
        }
        CompletableFuture<Void> next = new CompletableFuture<>();
        own = next;
        try {
            config.executor.execute(() -> quietly(next));
        } catch (RuntimeException | Error e) { // the pool rejected the task, or got no thread
            due.set(now.plus(INTERVAL));
            next.complete(null);
            LOG.warn("There is no thread to purge on; a later run tries again", e);
        }
    }

    /** Waits for a purge of the agent's own. It ends soon when the agent is closed, and the store may be closed next. */
    void awaitEnd(Duration most) {
        own.copy().completeOnTimeout(null, most.toNanos(), TimeUnit.NANOSECONDS).join();
    }

    private void quietly(CompletableFuture<Void> ended) {
        if (!active.isOpen()) {
            ended.complete(null);
            return;
        }
        try {
            Purged purged = purge(this::rests);
            if (!purged.equals(NOTHING)) {
                LOG.info("Purged: {}", purged);
            }
        } catch (RuntimeException e) {
            LOG.warn("Purging failed; it is tried again after a minute", e);
        } finally {
            due.set(config.clock.instant().plus(INTERVAL));
            ended.complete(null);
        }
    }

    private boolean rests(long nanos) {
        LockSupport.parkNanos(nanos);
        return active.isOpen();
    }

    /** Purges at once, without a rest. */
    public Purged now() {
        return purge(nanos -> true);
    }

    /** The {@code rest} is told how many nanoseconds a transaction took, and says whether to go on. */
    public Purged purge(LongPredicate rest) {
        Store store = config.store;
        Retention kept = config.retention;
        Instant settled = before(kept.settled());
        int expired = each(Wanted.UNFINISHED, lastAbandoned, this::expire, before(abandoned), rest);
        repeat(() -> store.purge(Old.FACT, settled, LIMIT), rest);
        int removed = repeat(() -> store.purge(Old.BATCH, settled, LIMIT), rest);
        int threads = kept.threads().equals(Retention.FOREVER)
                ? 0
                : each(Wanted.IDLE, lastIdle, this::empty, before(kept.threads()), rest);
        int events = kept.audit().equals(Retention.FOREVER)
                ? 0
                : repeat(() -> store.purge(Old.AUDIT_EVENT, before(kept.audit()), LIMIT), rest);
        Purged all = new Purged(expired, removed, threads, events);
        for (InnerAgent inner : config.inner()) { // last: what is settled here lets go of what is asked there
            all = sum(all, inner.purge(rest));
        }
        return all;
    }

    private static Purged sum(Purged one, Purged other) {
        return new Purged(
                one.expired() + other.expired(),
                one.removed() + other.removed(),
                one.threads() + other.threads(),
                one.auditEvents() + other.auditEvents());
    }

    private Instant before(Duration kept) {
        Instant now = config.clock.instant();
        boolean isEndless = kept.getSeconds() >= now.getEpochSecond() - Instant.MIN.getEpochSecond();
        return isEndless ? Instant.MIN : now.minus(kept);
    }

    private int repeat(IntSupplier transaction, LongPredicate rest) {
        int all = 0;
        while (true) {
            long start = System.nanoTime();
            int removed = transaction.getAsInt();
            all += removed;
            if (removed < LIMIT || !rest.test(System.nanoTime() - start)) {
                return all;
            }
        }
    }

    /** The {@code work} is given the id of a thread that was found, and says whether it turned out to be due. */
    private int each(
            Wanted what,
            AtomicReference<Place> last,
            BiPredicate<String, Instant> work,
            Instant before,
            LongPredicate rest) {
        int done = 0;
        int failed = 0;
        boolean wraps = !last.get().equals(Place.FIRST);
        while (true) {
            List<Place> page = config.store.threads(what, last.get(), before, LIMIT);
            for (Place thread : page) {
                long start = System.nanoTime();
                try {
                    done += work.test(thread.threadId(), before) ? 1 : 0;
                } catch (Throwable e) { // a missing class too, and not every memory is written in Java
                    failed++;
                    LOG.warn("The abandoned thread {} could not be settled or emptied", thread.threadId(), e);
                }
                last.set(thread);
                if (failed == LIMIT || !rest.test(System.nanoTime() - start)) {
                    return done;
                }
            }
            if (page.size() < LIMIT) {
                last.set(Place.FIRST);
                if (!wraps) {
                    return done;
                }
                wraps = false;
            }
        }
    }

    private boolean empty(String threadId, Instant before) {
        return maintenance.on(threadId, (run, lease) -> {
            boolean idle = run.found
                    .filter(thread -> thread.batch().isEmpty())
                    .flatMap(ThreadRecord::changedAt)
                    .filter(changedAt -> changedAt.isBefore(before))
                    .isPresent();
            if (idle) {
                run.memory().clear(); // first, so that it is tried again if the store fails
                config.memories.forget(threadId);
                config.store.commit(lease, Commit.empty().discard(Store.Part.ALL), config.clock.instant());
            }
            return idle;
        });
    }

    private boolean expire(String threadId, Instant before) {
        return maintenance.on(threadId, (run, lease) -> {
            Optional<Batch> abandoned = run.found
                    .flatMap(ThreadRecord::batch)
                    .filter(batch -> hasNotChangedSince(batch, before) && !hasTimeLeft(batch));
            abandoned.ifPresent(batch -> settle(run, batch));
            return abandoned.isPresent();
        });
    }

    private void settle(Run run, Batch abandoned) {
        Batch batch = abandoned;
        if (batch.isOpen()) {
            batch = batch.expired(CALLER, config.clock.instant());
            run.journal.commit(Commit.of(batch));
        }
        new BatchSettlement(run).settle(batch);
    }

    /** Checks whether a question is open of which people know an end that is still to come: it may have been given more time. */
    private boolean hasTimeLeft(Batch batch) {
        Instant now = config.clock.instant();
        return batch.openQuestions().stream()
                .map(question -> question.interrupt().expiresAt())
                .anyMatch(end -> end != null && end.isAfter(now));
    }

    /** Checks under the lease that the batch is still the one that was found: the thread may have another by now. */
    private static boolean hasNotChangedSince(Batch batch, Instant before) {
        return batch.calls().stream()
                .flatMap(call -> Stream.of(
                                call.questions().stream().map(Question::askedAt),
                                call.answers().stream().map(Answer::answeredAt),
                                call.votes().stream().map(Answer::answeredAt),
                                call.attempts().stream().map(Call.Attempt::startedAt))
                        .flatMap(times -> times))
                .allMatch(time -> time.isBefore(before));
    }
}
