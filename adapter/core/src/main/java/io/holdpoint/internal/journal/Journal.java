package io.holdpoint.internal.journal;

import com.fasterxml.jackson.databind.JsonNode;
import io.holdpoint.hook.ArgumentRedactor;
import io.holdpoint.internal.events.Progress;
import io.holdpoint.internal.events.SharedState;
import io.holdpoint.store.AuditEvent;
import io.holdpoint.store.Batch;
import io.holdpoint.store.Commit;
import io.holdpoint.store.Grant;
import io.holdpoint.store.LeaseLostException;
import io.holdpoint.store.Store;
import io.holdpoint.store.Store.Lease;
import io.holdpoint.store.Store.ThreadRecord;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The only writer of a run: what the run decides, the thread's state and the audit events about both are one commit.
 * Listener and observer hear of it when it is stored. Thread-safe.
 */
public final class Journal {

    private final Store store;
    private final Lease lease;
    private final Clock clock;
    private final SharedState state;
    private final Progress progress;

    public final AuditNotes notes;

    private final AuditEvents audit;
    private final RunWatch watch;
    /** An older state must not follow a newer one: commits that carry the state are written one after another. */
    private final ReentrantLock stateOrder = new ReentrantLock();

    private volatile Optional<Batch> last = Optional.empty();

    public Journal(
            Store store,
            Lease lease,
            Clock clock,
            SharedState state,
            Progress progress,
            AuditNotes notes,
            ArgumentRedactor redactor,
            RunWatch watch) {
        this.store = store;
        this.lease = lease;
        this.clock = clock;
        this.state = state;
        this.progress = progress;
        this.notes = notes;
        this.audit = new AuditEvents(lease, redactor);
        this.watch = watch;
    }

    /** Takes note of the thread's unfinished batch, as the run found it. */
    public void startsFrom(Optional<Batch> unfinished) {
        last = unfinished;
    }

    /** Writes a commit, with activities that have ended and the state if it has changed. */
    public void commit(Commit commit) {
        Commit complete = progress.with(commit);
        if (state.unstored().isEmpty()) {
            write(complete);
            return;
        }
        stateOrder.lock();
        try {
            Optional<JsonNode> next = state.unstored();
            write(next.isPresent() ? complete.state(next.get()) : complete);
            next.ifPresent(state::stored);
        } finally {
            stateOrder.unlock();
        }
    }

    private void write(Commit complete) {
        Instant now = clock.instant();
        List<Batch> batches = complete.batches();
        List<AuditEvent> events = auditEvents(batches, complete.grants(), now);
        Commit commit = complete.audit(events);
        try {
            store.commit(lease, commit, now);
        } catch (LeaseLostException e) {
            noteLoss(events, e);
            throw e;
        }
        if (!batches.isEmpty()) {
            last = Optional.of(batches.get(batches.size() - 1));
        }
        notes.tell(events);
        watch.stored(batches, events);
    }

    private List<AuditEvent> auditEvents(List<Batch> batches, List<Grant> grants, Instant now) {
        List<AuditEvent> events = new ArrayList<>();
        Optional<Batch> present = last;
        for (Batch batch : batches) {
            if (batch.version() == 0) {
                events.addAll(audit.between(Optional.empty(), batch, now));
            } else {
                Optional<Batch> before = before(present, batch);
                if (before.isPresent()) {
                    events.addAll(audit.between(before, batch, now));
                }
            }
            present = Optional.of(batch);
        }
        grants.forEach(grant -> events.add(audit.granted(grant, now)));
        return events;
    }

    /** The version before. If the store lacks it too, it is going to refuse this one. */
    private Optional<Batch> before(Optional<Batch> present, Batch batch) {
        Optional<Batch> known = present.filter(earlier -> precedes(earlier, batch));
        return known.isPresent()
                ? known
                : store.find(lease.threadId()).flatMap(ThreadRecord::batch).filter(stored -> precedes(stored, batch));
    }

    private static boolean precedes(Batch before, Batch batch) {
        return before.id().equals(batch.id()) && before.version() == batch.version() - 1;
    }

    private void noteLoss(List<AuditEvent> dropped, LeaseLostException lost) {
        try {
            notes.lost(dropped);
        } catch (RuntimeException unwritten) {
            lost.addSuppressed(unwritten);
        }
    }
}
