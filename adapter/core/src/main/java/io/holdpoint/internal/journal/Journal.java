package io.holdpoint.internal.journal;

import com.fasterxml.jackson.databind.JsonNode;
import io.holdpoint.agui.Message;
import io.holdpoint.hook.ArgumentRedactor;
import io.holdpoint.internal.events.Progress;
import io.holdpoint.internal.events.SharedState;
import io.holdpoint.internal.journal.AuditEvents.Changes;
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
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The only writer of a run: what the run decides, the thread's state and the audit events about both are one commit.
 * Listener and observer hear of it when it is stored. A commit that fails takes along what waited for it. Thread-safe.
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
    /** Commits are written one after another: an older state must not follow a newer one. */
    private final ReentrantLock order = new ReentrantLock();

    private Commit waiting = Commit.empty();
    private volatile Optional<Batch> last = Optional.empty();
    /** The transcript as far as this run has written it; empty if there is more, or if a commit has failed. */
    private Optional<List<Message>> written = Optional.empty();

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

    /** Takes note of the thread, as the run found it. */
    public void startsFrom(Optional<ThreadRecord> thread) {
        last = thread.flatMap(ThreadRecord::batch);
        written = thread.isPresent() ? Optional.empty() : Optional.of(List.of());
    }

    /** Checks whether the thread may have tool calls. */
    public boolean mayHaveCalls() {
        return last.isPresent() || written.isEmpty();
    }

    /** Writes a commit, with what waits, activities that have ended and the state if it has changed. */
    public void commit(Commit commit) {
        order.lock();
        try {
            Commit complete = waiting.and(progress.with(commit));
            waiting = Commit.empty();
            Optional<JsonNode> next = state.unstored();
            write(next.isPresent() ? complete.state(next.get()) : complete);
            next.ifPresent(state::stored);
        } finally {
            order.unlock();
        }
    }

    /** Writes a commit together with the next one, or when the run ends. */
    public void later(Commit commit) {
        order.lock();
        try {
            waiting = waiting.and(progress.with(commit));
        } finally {
            order.unlock();
        }
    }

    /** Checks whether something waits to be written. */
    public boolean isBehind() {
        order.lock();
        try {
            return !waiting.isEmpty();
        } finally {
            order.unlock();
        }
    }

    /** Writes what waits. */
    public void catchUp() {
        if (isBehind()) {
            commit(Commit.empty());
        }
    }

    /** The thread's transcript, with what waits to be written. */
    public List<Message> transcript() {
        order.lock();
        try {
            Map<String, Message> late = new LinkedHashMap<>();
            for (Message message : waiting.messages()) {
                late.putIfAbsent(message.id(), message);
            }
            List<Message> stored = written.isPresent() ? written.get() : store.transcript(lease.threadId());
            if (late.isEmpty()) {
                return stored;
            }
            List<Message> messages = new ArrayList<>(stored);
            for (Message message : stored) {
                late.remove(message.id());
            }
            messages.addAll(late.values());
            return messages;
        } finally {
            order.unlock();
        }
    }

    private void write(Commit complete) {
        Instant now = clock.instant();
        List<Batch> batches = complete.batches();
        Changes changes = changes(batches, complete.grants(), now);
        List<AuditEvent> events = changes.events;
        complete.cut().ifPresent(cut -> events.add(audit.cutOff(cut, now)));
        Optional<List<Message>> before = written;
        written = Optional.empty();
        try {
            store.commit(lease, complete.audit(events), now);
        } catch (LeaseLostException e) {
            noteLoss(events, e);
            throw e;
        }
        written = before.map(messages -> {
            Map<String, Message> all = new LinkedHashMap<>();
            messages.forEach(message -> all.put(message.id(), message));
            complete.messages().forEach(message -> all.putIfAbsent(message.id(), message));
            return List.copyOf(all.values());
        });
        if (!batches.isEmpty()) {
            last = Optional.of(batches.get(batches.size() - 1));
        }
        notes.tell(events);
        watch.stored(changes.questions);
    }

    private Changes changes(List<Batch> batches, List<Grant> grants, Instant now) {
        Changes changes = new Changes();
        List<AuditEvent> events = changes.events;
        Optional<Batch> present = last;
        for (Batch batch : batches) {
            int start = events.size();
            if (batch.version() == 0) {
                audit.between(Optional.empty(), batch, now, changes);
            } else {
                Optional<Batch> before = before(present, batch);
                if (before.isPresent()) {
                    audit.between(before, batch, now, changes);
                }
            }
            if (!grants.isEmpty()) {
                addGranted(events, start, grants, now);
            }
            present = Optional.of(batch);
        }
        return changes;
    }

    /** Adds the grants of the answers among the events from a place on. */
    private void addGranted(List<AuditEvent> events, int start, List<Grant> grants, Instant now) {
        Set<Optional<String>> interrupts = new HashSet<>();
        events.subList(start, events.size()).forEach(event -> interrupts.add(event.interruptId()));
        for (Grant grant : grants) {
            if (interrupts.contains(grant.subject().interruptId())) {
                events.add(audit.granted(grant, now));
            }
        }
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
