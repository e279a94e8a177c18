package io.holdpoint.store;

import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** The ends of the audit trails of the in-memory store. Thread-safe. */
final class InMemoryAudit {

    private final Map<String, Trail> trails = new ConcurrentHashMap<>();

    private static final class Trail {

        private final Deque<AuditEvent> events = new ArrayDeque<>();

        synchronized void add(AuditEvent event) {
            events.addLast(event);
            if (events.size() > InMemoryStore.MAX_AUDIT_EVENTS) {
                events.removeFirst();
            }
        }

        synchronized boolean addNew(AuditEvent event) {
            if (events.stream().anyMatch(event::repeats)) {
                return false;
            }
            add(event);
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

    void add(List<AuditEvent> events) {
        events.forEach(event -> trail(event).add(event));
    }

    /** Adds what is not there already, and says what that was. */
    List<AuditEvent> addNew(List<AuditEvent> events) {
        return events.stream().filter(event -> trail(event).addNew(event)).toList();
    }

    int purge(Instant before, int limit) {
        int removed = 0;
        for (Trail trail : trails.values()) {
            removed += trail.purge(before, limit - removed);
        }
        return removed;
    }

    private Trail trail(AuditEvent event) {
        return trails.computeIfAbsent(event.threadId(), id -> new Trail());
    }

    List<AuditEvent> read(String threadId, long offset, int limit) {
        Trail trail = trails.get(threadId);
        return trail == null ? List.of() : trail.read(offset, limit);
    }
}
