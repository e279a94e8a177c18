package io.holdpoint.store;

import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

/** The end of the audit trail of one thread, in memory. Thread-safe. */
final class Trail {

    private final Deque<AuditEvent> events = new ArrayDeque<>();

    synchronized void addAll(List<AuditEvent> more) {
        events.addAll(more);
        while (events.size() > InMemoryStore.MAX_AUDIT_EVENTS) {
            events.removeFirst();
        }
    }

    synchronized boolean addNew(AuditEvent event) {
        if (events.stream().anyMatch(event::repeats)) {
            return false;
        }
        addAll(List.of(event));
        return true;
    }

    synchronized int purge(Instant before, int limit) {
        int removed = 0;
        while (removed < limit && !events.isEmpty() && events.peekFirst().at().isBefore(before)) {
            events.removeFirst();
            removed++;
        }
        return removed;
    }

    synchronized List<AuditEvent> read(long offset, int limit) {
        return events.stream().skip(offset).limit(limit).toList();
    }
}
