package io.holdpoint.store;

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

        synchronized List<AuditEvent> read(long offset, int limit) {
            return events.stream().skip(offset).limit(limit).toList();
        }
    }

    void add(List<AuditEvent> events) {
        events.forEach(event ->
                trails.computeIfAbsent(event.threadId(), id -> new Trail()).add(event));
    }

    List<AuditEvent> read(String threadId, long offset, int limit) {
        Trail trail = trails.get(threadId);
        return trail == null ? List.of() : trail.read(offset, limit);
    }
}
