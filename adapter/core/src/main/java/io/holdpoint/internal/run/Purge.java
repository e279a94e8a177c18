package io.holdpoint.internal.run;

import io.holdpoint.Caller;
import io.holdpoint.Purged;
import io.holdpoint.internal.Ids;
import io.holdpoint.internal.agent.AgentConfig;
import io.holdpoint.internal.events.EventEmitter;
import io.holdpoint.internal.lease.Heartbeat;
import io.holdpoint.internal.turn.BatchSettlement;
import io.holdpoint.internal.turn.Run;
import io.holdpoint.store.Abandoned;
import io.holdpoint.store.Answer;
import io.holdpoint.store.Attempt;
import io.holdpoint.store.Batch;
import io.holdpoint.store.BatchState;
import io.holdpoint.store.Commit;
import io.holdpoint.store.Lease;
import io.holdpoint.store.Question;
import io.holdpoint.store.Store;
import io.holdpoint.store.ThreadRecord;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Ends what nobody goes on with, and removes what is long finished. Work per call is bounded. Thread-safe, also between nodes:
 * a batch is settled under its thread's lease. One that was begun and could not be settled counts as abandoned again after the
 * same time; until then, a new message settles it. Every call goes on where the one before it stopped, and starts again
 * when it has come to the end, so that batches that cannot be settled do not keep it from the others.
 */
final class Purge {

    /** Most batches of each kind per call. */
    static final int LIMIT = 100;

    /** Shortest time between two purges that an agent does by itself. */
    static final Duration INTERVAL = Duration.ofMinutes(1);

    private static final Logger LOG = LoggerFactory.getLogger(Purge.class);
    private static final Caller CALLER = Caller.of("holdpoint:retention");

    private final AgentConfig<?> settings;
    private final Heartbeat heartbeat;
    private final AtomicReference<Instant> due;
    private final AtomicReference<Abandoned> last = new AtomicReference<>(Abandoned.FIRST);

    Purge(AgentConfig<?> settings, Heartbeat heartbeat) {
        this.settings = settings;
        this.heartbeat = heartbeat;
        this.due = new AtomicReference<>(settings.clock().instant().plus(INTERVAL));
    }

    /** Purges on the agent's executor if it is time to. A failure is logged. */
    void whenDue() {
        Instant now = settings.clock().instant();
        Instant time = due.get();
        if (now.isBefore(time) || !due.compareAndSet(time, now.plus(INTERVAL))) {
            return;
        }
        try {
            settings.executor().execute(this::quietly);
        } catch (RuntimeException e) {
            LOG.warn("There is no thread to purge on; that is tried again later", e);
        }
    }

    private void quietly() {
        try {
            Purged purged = now();
            if (purged.expired() > 0 || purged.removed() > 0) {
                LOG.info("Purged: {}", purged);
            }
        } catch (RuntimeException e) {
            LOG.warn("Purging failed; that is tried again later", e);
        }
    }

    Purged now() {
        Store store = settings.store();
        Instant now = settings.clock().instant();
        Instant abandonedBefore = now.minus(settings.governance().retention().abandoned());
        int expired = 0;
        for (Abandoned abandoned : nextAbandoned(abandonedBefore)) {
            try {
                expired += expire(abandoned.threadId(), abandonedBefore) ? 1 : 0;
            } catch (RuntimeException e) {
                LOG.warn("The abandoned batch of thread {} could not be settled", abandoned.threadId(), e);
            }
        }
        Instant settledBefore = now.minus(settings.governance().retention().settled());
        store.purgeGrants(settledBefore, LIMIT);
        int removed = store.purge(settledBefore, LIMIT);
        return new Purged(expired, removed);
    }

    private List<Abandoned> nextAbandoned(Instant before) {
        Store store = settings.store();
        Abandoned after = last.get();
        List<Abandoned> page = store.abandoned(after, before, LIMIT);
        if (page.isEmpty() && !after.equals(Abandoned.FIRST)) {
            page = store.abandoned(Abandoned.FIRST, before, LIMIT);
        }
        last.set(page.size() < LIMIT ? Abandoned.FIRST : page.get(LIMIT - 1));
        return page;
    }

    private boolean expire(String threadId, Instant before) {
        Store store = settings.store();
        Duration duration = settings.governance().leaseDuration();
        Instant now = settings.clock().instant();
        Optional<Lease> lease = store.acquire(threadId, Ids.run(), CALLER.id(), now, now.plus(duration));
        if (lease.isEmpty()) {
            return false; // somebody goes on with it after all
        }
        Run run = Run.begin(settings, lease.get(), CALLER, new EventEmitter(event -> {}), heartbeat);
        try {
            Optional<Batch> abandoned = store.find(threadId)
                    .flatMap(ThreadRecord::batch)
                    .filter(batch -> hasNotChangedSince(batch, before));
            run.audit().startsFrom(abandoned);
            abandoned.ifPresent(batch -> settle(run, batch));
            return abandoned.isPresent();
        } finally {
            run.right().release();
        }
    }

    private void settle(Run run, Batch abandoned) {
        Batch batch = abandoned;
        if (batch.state() == BatchState.OPEN) {
            batch = batch.expired(CALLER.id(), settings.clock().instant());
            run.commit(Commit.of(batch));
        }
        new BatchSettlement(
                        run,
                        settings.memories().of(run.threadId(), run.right()),
                        settings.governance().limits())
                .settle(batch);
    }

    /** It was unfinished when it was found; by the time that the lease is there, it may be another one. */
    private static boolean hasNotChangedSince(Batch batch, Instant before) {
        return batch.calls().stream()
                .flatMap(call -> Stream.of(
                                call.questions().stream().map(Question::askedAt),
                                call.answers().stream().map(Answer::answeredAt),
                                call.attempts().stream().map(Attempt::startedAt))
                        .flatMap(times -> times))
                .allMatch(time -> time.isBefore(before));
    }
}
