package io.holdpoint.internal.run;

import io.holdpoint.Caller;
import io.holdpoint.Retention.Purged;
import io.holdpoint.internal.Ids;
import io.holdpoint.internal.agent.AgentConfig;
import io.holdpoint.internal.events.EventEmitter;
import io.holdpoint.internal.lease.Heartbeat;
import io.holdpoint.internal.turn.BatchSettlement;
import io.holdpoint.internal.turn.Run;
import io.holdpoint.store.Batch;
import io.holdpoint.store.Call;
import io.holdpoint.store.Call.Answer;
import io.holdpoint.store.Call.Question;
import io.holdpoint.store.Commit;
import io.holdpoint.store.Store;
import io.holdpoint.store.Store.Abandoned;
import io.holdpoint.store.Store.Lease;
import io.holdpoint.store.Store.ThreadRecord;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Settles abandoned batches as expired, and removes batches that are long finished, a bounded number per call. Thread-safe, also
 * between nodes, because a batch is settled under its thread's lease.
 *
 * <p>A batch that cannot be settled counts as abandoned again after the same time; until then, a new message settles it. Every
 * call begins where the one before it stopped, and after the last batch with the first, so that such batches do not keep it
 * from the others.
 */
public final class Purge {

    /** The most batches of each kind that one call works on. */
    static final int LIMIT = 100;

    /** The shortest time between two purges that an agent does by itself. */
    static final Duration INTERVAL = Duration.ofMinutes(1);

    private static final Logger LOG = LoggerFactory.getLogger(Purge.class);
    private static final Caller CALLER = Caller.of("holdpoint:retention");

    private final AgentConfig<?> config;
    private final Heartbeat heartbeat;
    private final AtomicReference<Instant> due;
    private final AtomicReference<Abandoned> last = new AtomicReference<>(Abandoned.FIRST);

    Purge(AgentConfig<?> config, Heartbeat heartbeat) {
        this.config = config;
        this.heartbeat = heartbeat;
        this.due = new AtomicReference<>(config.clock.instant().plus(INTERVAL));
    }

    /** Purges on the agent's executor when the interval is over. A failure is logged. */
    void whenDue() {
        Instant now = config.clock.instant();
        Instant time = due.get();
        if (now.isBefore(time) || !due.compareAndSet(time, now.plus(INTERVAL))) {
            return;
        }
        try {
            config.executor.execute(this::quietly);
        } catch (RuntimeException e) {
            LOG.warn("There is no thread to purge on; the next run tries again", e);
        }
    }

    private void quietly() {
        try {
            Purged purged = now();
            if (purged.expired() > 0 || purged.removed() > 0) {
                LOG.info("Purged: {}", purged);
            }
        } catch (RuntimeException e) {
            LOG.warn("Purging failed; it is tried again after a minute", e);
        }
    }

    /** Purges at once, as much as one call may. */
    public Purged now() {
        Store store = config.store;
        Instant now = config.clock.instant();
        Instant abandonedBefore = now.minus(config.retention.abandoned());
        int expired = 0;
        for (Abandoned abandoned : nextAbandoned(abandonedBefore)) {
            try {
                expired += expire(abandoned.threadId(), abandonedBefore) ? 1 : 0;
            } catch (RuntimeException e) {
                LOG.warn("The abandoned batch of thread {} could not be settled", abandoned.threadId(), e);
            }
        }
        Instant settledBefore = now.minus(config.retention.settled());
        store.purgeGrants(settledBefore, LIMIT);
        int removed = store.purge(settledBefore, LIMIT);
        return new Purged(expired, removed);
    }

    private List<Abandoned> nextAbandoned(Instant before) {
        Store store = config.store;
        Abandoned after = last.get();
        List<Abandoned> page = store.abandoned(after, before, LIMIT);
        if (page.isEmpty() && !after.equals(Abandoned.FIRST)) {
            page = store.abandoned(Abandoned.FIRST, before, LIMIT);
        }
        last.set(page.size() < LIMIT ? Abandoned.FIRST : page.get(LIMIT - 1));
        return page;
    }

    private boolean expire(String threadId, Instant before) {
        Store store = config.store;
        Duration duration = config.leaseDuration;
        Instant now = config.clock.instant();
        Optional<Lease> lease = store.acquire(threadId, Ids.run(), CALLER.id(), now, now.plus(duration));
        if (lease.isEmpty()) {
            return false; // a run goes on with it after all
        }
        Run run = new Run(config, lease.get(), CALLER, new EventEmitter(event -> {}), heartbeat);
        try {
            Optional<Batch> abandoned = store.find(threadId)
                    .flatMap(ThreadRecord::batch)
                    .filter(batch -> hasNotChangedSince(batch, before));
            run.journal.startsFrom(abandoned);
            abandoned.ifPresent(batch -> settle(run, batch));
            return abandoned.isPresent();
        } finally {
            run.lease.release();
        }
    }

    private void settle(Run run, Batch abandoned) {
        Batch batch = abandoned;
        if (batch.state() == Batch.State.OPEN) {
            batch = batch.expired(CALLER.id(), config.clock.instant());
            run.commit(Commit.of(batch));
        }
        new BatchSettlement(run).settle(batch);
    }

    /** Checks under the lease that the batch is still the one that was found: the thread may have another by now. */
    private static boolean hasNotChangedSince(Batch batch, Instant before) {
        return batch.calls().stream()
                .flatMap(call -> Stream.of(
                                call.questions().stream().map(Question::askedAt),
                                call.answers().stream().map(Answer::answeredAt),
                                call.attempts().stream().map(Call.Attempt::startedAt))
                        .flatMap(times -> times))
                .allMatch(time -> time.isBefore(before));
    }
}
