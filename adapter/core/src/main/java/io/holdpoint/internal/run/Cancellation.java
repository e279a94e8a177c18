package io.holdpoint.internal.run;

import io.holdpoint.Caller;
import io.holdpoint.ErrorCode;
import io.holdpoint.RunRejectedException;
import io.holdpoint.internal.Ids;
import io.holdpoint.internal.agent.AgentConfig;
import io.holdpoint.internal.events.EventEmitter;
import io.holdpoint.internal.lease.Heartbeat;
import io.holdpoint.internal.turn.BatchSettlement;
import io.holdpoint.internal.turn.Run;
import io.holdpoint.store.Batch;
import io.holdpoint.store.Lease;
import io.holdpoint.store.Store;
import io.holdpoint.store.ThreadRecord;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * Cancels what a thread is at: its active run, on this node or another, or the batch that waits on it. Thread-safe.
 */
final class Cancellation {

    /** A run may start, end and be held between any two looks; it cannot do so all the time. */
    private static final int MOST_ATTEMPTS = 100;

    private final AgentConfig<?> settings;
    private final ActiveRuns active;
    private final Heartbeat heartbeat;

    Cancellation(AgentConfig<?> settings, ActiveRuns active, Heartbeat heartbeat) {
        this.settings = settings;
        this.active = active;
        this.heartbeat = heartbeat;
    }

    /**
     * Cancels.
     *
     * @param caller who does, and may access the thread
     * @return whether there was anything
     * @throws RunRejectedException if one run after another came in between
     */
    boolean cancel(Caller caller, String threadId) {
        Store store = settings.store;
        for (int attempt = 0; attempt < MOST_ATTEMPTS; attempt++) {
            if (active.cancel(threadId)
                    || store.requestCancel(threadId, settings.clock.instant())) {
                return true;
            }
            if (store.find(threadId).flatMap(ThreadRecord::batch).isEmpty()) {
                return false;
            }
            Instant now = settings.clock.instant();
            Optional<Lease> lease = store.acquire(
                    threadId,
                    Ids.run(),
                    caller.id(),
                    now,
                    now.plus(settings.leaseDuration));
            if (lease.isPresent()) {
                return giveUp(caller, lease.get());
            }
        }
        throw new RunRejectedException(ErrorCode.RUN_IN_PROGRESS, "One run after another came in between. Try again.");
    }

    private boolean giveUp(Caller caller, Lease lease) {
        Run run = Run.begin(settings, lease, caller, new EventEmitter(event -> {}), heartbeat);
        try {
            Optional<Batch> batch = run.store().find(run.threadId()).flatMap(ThreadRecord::batch);
            run.journal().startsFrom(batch);
            if (batch.isPresent()) {
                BatchSettlement.ofCancelled(run, List.of(), Optional.empty());
            }
            return batch.isPresent();
        } finally {
            run.lease().release();
        }
    }
}
