package io.holdpoint.store;

import com.fasterxml.jackson.databind.JsonNode;
import io.holdpoint.agui.Message;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Keeps everything in this process, under one lock: for tests, trials and applications that may forget. A restart empties
 * it; of an audit trail the last {@value #MAX_AUDIT_EVENTS} events are kept. Thread-safe.
 */
public final class InMemoryStore implements Store {

    /** The number of audit events that are kept of a thread. */
    public static final int MAX_AUDIT_EVENTS = 1_000;

    private static final Comparator<Place> ORDER =
            Comparator.comparing(Place::at).thenComparing(Place::threadId);

    private final Map<String, StoredThread> threads = new HashMap<>();
    private final Map<String, Held> leases = new HashMap<>();
    private final Map<String, Deque<AuditEvent>> trails = new HashMap<>();
    private long epochs;

    /** A lease, and what is forgotten with it. */
    private static final class Held {

        private final Lease lease;
        private Instant until;
        private boolean cancelRequested;
        private Optional<Message.Assistant> said = Optional.empty();

        Held(Lease lease, Instant until) {
            this.lease = lease;
            this.until = until;
        }
    }

    /** One thread, under the lock of the store. */
    private static final class StoredThread {

        private final String id;
        private final String owner;
        private final List<Message> messages = new ArrayList<>();
        /** The places of the messages by their ids. */
        private final Map<String, Integer> places = new HashMap<>();

        private final Map<String, Message> cut = new LinkedHashMap<>();
        private final Set<String> runs = new HashSet<>();
        private final Map<String, Batch> batches = new HashMap<>();
        private final Map<String, Instant> finished = new HashMap<>();
        private final Map<String, String> batchOfInterrupt = new HashMap<>();
        private final Set<String> toolCalls = new HashSet<>();
        private final Map<String, Grant> grants = new LinkedHashMap<>();
        private Optional<JsonNode> state = Optional.empty();
        private Optional<TurnRecord> turn = Optional.empty();
        private Optional<Batch> unfinished = Optional.empty();
        private Instant unfinishedSince = Instant.MIN;
        private Optional<Instant> touched = Optional.empty();
        private boolean purged;

        StoredThread(String id, String owner) {
            this.id = id;
            this.owner = owner;
        }

        Stream<Due> finishedBatches() {
            return finished.entrySet().stream()
                    .map(batch -> new Due(batch.getValue(), () -> {
                        batches.remove(batch.getKey());
                        finished.remove(batch.getKey());
                    }));
        }

        StoredThread without(Part part) {
            if (part == Part.ALL) {
                StoredThread empty = new StoredThread(id, owner);
                empty.purged = true;
                return empty;
            }
            unfinished.ifPresent(batch -> batches.remove(batch.id()));
            unfinished = Optional.empty();
            turn = Optional.empty();
            return this;
        }

        /** The batch with open questions, if there is one. */
        Stream<OpenBatch> open() {
            return unfinished
                    .flatMap(Batch::askedAt)
                    .map(askedAt -> new OpenBatch(id, owner, askedAt, unfinished))
                    .stream();
        }

        void write(Commit commit, String runId, Instant now) {
            touched = Optional.of(now);
            commit.batches().forEach(batch -> put(batch, now));
            boolean changes = commit.cut().isPresent() && cut(commit.cut().get().fromMessageId());
            for (Message message : commit.messages()) {
                if (!cut.containsKey(message.id()) && places.putIfAbsent(message.id(), messages.size()) == null) {
                    messages.add(message);
                    changes = true;
                }
            }
            if (changes) {
                runs.add(runId);
            }
            commit.grants().forEach(grant -> grants.put(grant.id(), grant));
            state = commit.state().or(() -> state);
            if (commit.turn() instanceof Commit.TurnChange.Put put) {
                turn = Optional.of(put.turn());
            } else if (commit.turn() instanceof Commit.TurnChange.Finish) {
                turn = Optional.empty();
            }
        }

        /** Says whether the transcript has the message, from which on it is cut off. */
        private boolean cut(String fromMessageId) {
            Integer place = places.get(fromMessageId);
            if (place == null) {
                return false;
            }
            List<Message> end = messages.subList(place, messages.size());
            end.forEach(message -> {
                cut.put(message.id(), message);
                places.remove(message.id());
            });
            end.clear();
            return true;
        }

        /** A commit may have several transitions of a batch, one after the other. */
        void requirePrevious(Batch batch, Map<String, Long> versions) {
            Batch stored = batches.get(batch.id());
            long present = versions.getOrDefault(batch.id(), stored == null ? -1 : stored.version());
            if (present != batch.version() - 1) {
                throw new StoreConflictException(
                        "batch " + batch.id() + " is not at version " + (batch.version() - 1) + " any more");
            }
            versions.put(batch.id(), batch.version());
        }

        void requireGrants(Batch batch) {
            for (Change change : batch.changes()) {
                if (change instanceof Change.Claimed claimed
                        && !claimed.grant().map(grants::containsKey).orElse(true)) {
                    throw new StoreConflictException(
                            "the decision " + claimed.call().grantId() + " by which "
                                    + claimed.call().toolCallId() + " starts is revoked");
                }
            }
        }

        /** Of a batch that is finished, only what somebody was asked stays. */
        private void put(Batch batch, Instant now) {
            batch.calls().forEach(call -> {
                toolCalls.add(call.toolCallId());
                call.questions()
                        .forEach(question ->
                                batchOfInterrupt.put(question.interrupt().id(), batch.id()));
            });
            batches.put(batch.id(), batch);
            if (batch.state() != Batch.State.FINISHED) {
                unfinished = Optional.of(batch);
                unfinishedSince = now;
                return;
            }
            unfinished = unfinished.filter(open -> !open.id().equals(batch.id()));
            if (batch.calls().stream().anyMatch(call -> !call.questions().isEmpty())) {
                finished.put(batch.id(), now);
            } else {
                batches.remove(batch.id());
            }
        }
    }

    /** A thread; one without anything in it if the store does not know it. */
    private StoredThread thread(String threadId) {
        return threads.getOrDefault(threadId, new StoredThread(threadId, ""));
    }

    private Stream<StoredThread> threadsOf(String agent) {
        return threads.values().stream().filter(thread -> Store.isThreadOf(agent, thread.id));
    }

    private Optional<Held> held(Lease lease) {
        return Optional.ofNullable(leases.get(lease.threadId())).filter(held -> held.lease.equals(lease));
    }

    private Optional<Held> held(String threadId, Instant now) {
        return Optional.ofNullable(leases.get(threadId)).filter(held -> held.until.isAfter(now));
    }

    private void requireHeld(Lease lease) {
        if (held(lease).isEmpty()) {
            throw new LeaseLostException(lease + " was lost");
        }
    }

    @Override
    public synchronized Optional<Lease> acquire(
            String threadId, String runId, String caller, Instant now, Instant until) {
        if (held(threadId, now).isPresent()) {
            return Optional.empty();
        }
        Lease lease = new Lease(threadId, runId, caller, ++epochs);
        leases.put(threadId, new Held(lease, until));
        return Optional.of(lease);
    }

    @Override
    public synchronized Renewal renew(Lease lease, Instant until) {
        Optional<Held> present = held(lease);
        present.ifPresent(held -> held.until = until);
        return present.map(held -> held.cancelRequested ? Renewal.CANCEL_REQUESTED : Renewal.RENEWED)
                .orElse(Renewal.LOST);
    }

    @Override
    public synchronized void release(Lease lease) {
        held(lease).ifPresent(held -> leases.remove(lease.threadId()));
    }

    @Override
    public synchronized boolean requestCancel(String threadId, Instant now) {
        held(threadId, now).ifPresent(held -> held.cancelRequested = true);
        return held(threadId, now).isPresent();
    }

    @Override
    public synchronized Optional<Active> active(String threadId, Instant now) {
        return held(threadId, now).map(held -> new Active(held.lease, held.said));
    }

    @Override
    public synchronized void say(Lease lease, Message.Assistant text) {
        held(lease).ifPresent(held -> held.said = Optional.of(text));
    }

    @Override
    public synchronized Optional<ThreadRecord> find(String threadId) {
        return Optional.ofNullable(threads.get(threadId))
                .map(thread -> new ThreadRecord(
                        threadId,
                        thread.owner,
                        thread.state,
                        thread.turn,
                        thread.unfinished,
                        thread.touched,
                        thread.purged));
    }

    @Override
    public synchronized Optional<ThreadHead> head(String threadId) {
        return Optional.ofNullable(threads.get(threadId))
                .map(thread -> new ThreadHead(
                        threadId, thread.owner, thread.unfinished.map(Batch::id), thread.turn.isPresent()));
    }

    @Override
    public synchronized void discard(Lease lease, Part part, List<AuditEvent> events) {
        requireHeld(lease);
        threads.computeIfPresent(lease.threadId(), (id, thread) -> thread.without(part));
        addToTrail(lease.threadId(), events);
    }

    @Override
    public synchronized List<Message> transcript(String threadId) {
        return List.copyOf(thread(threadId).messages);
    }

    @Override
    public synchronized List<Message> transcriptAfter(String threadId, String messageId) {
        StoredThread thread = thread(threadId);
        Integer place = thread.places.get(messageId);
        return place == null ? List.of() : List.copyOf(thread.messages.subList(place + 1, thread.messages.size()));
    }

    @Override
    public synchronized List<Message> cutMessages(String threadId) {
        return List.copyOf(thread(threadId).cut.values());
    }

    @Override
    public synchronized int count(Counted what, String threadId, int limit) {
        StoredThread thread = thread(threadId);
        int count =
                switch (what) {
                    case MESSAGE -> thread.messages.size() + thread.cut.size();
                    case INTERRUPT -> thread.batchOfInterrupt.size();
                };
        return Math.min(limit, count);
    }

    @Override
    public synchronized Map<String, Boolean> known(String threadId, Collection<String> messageIds) {
        StoredThread thread = thread(threadId);
        Map<String, Boolean> known = new HashMap<>();
        for (String id : messageIds) {
            boolean isCut = thread.cut.containsKey(id);
            if (isCut || thread.places.containsKey(id)) {
                known.put(id, isCut);
            }
        }
        return known;
    }

    @Override
    public synchronized boolean has(IdOf what, String threadId, String id) {
        StoredThread thread = thread(threadId);
        return switch (what) {
            case RUN -> thread.runs.contains(id);
            case TOOL_CALL -> thread.toolCalls.contains(id);
            case INTERRUPT -> thread.purged || thread.batchOfInterrupt.containsKey(id);
        };
    }

    @Override
    public synchronized Optional<Batch> findByInterrupt(String threadId, String interruptId) {
        StoredThread thread = thread(threadId);
        return Optional.ofNullable(thread.batchOfInterrupt.get(interruptId)).map(thread.batches::get);
    }

    @Override
    public synchronized void commit(Lease lease, Commit commit, Instant now) {
        requireHeld(lease);
        StoredThread thread =
                threads.getOrDefault(lease.threadId(), new StoredThread(lease.threadId(), lease.caller()));
        Map<String, Long> versions = new HashMap<>();
        commit.batches().forEach(batch -> {
            thread.requirePrevious(batch, versions);
            thread.requireGrants(batch);
        });
        threads.put(thread.id, thread);
        thread.write(commit, lease.runId(), now);
        addToTrail(thread.id, commit.audit());
        if (commit.releases()) {
            leases.remove(thread.id);
        }
    }

    @Override
    public synchronized List<Place> threads(Wanted what, String agent, Place after, Instant before, int limit) {
        boolean isTimeIncluded = what == Wanted.DUE || what == Wanted.DESERTED;
        return threadsOf(agent)
                .flatMap(thread -> at(what, thread).map(at -> new Place(at, thread.id)).stream())
                .filter(place -> (place.at().isBefore(before)
                                || isTimeIncluded && place.at().equals(before))
                        && ORDER.compare(place, after) > 0)
                .sorted(ORDER)
                .limit(limit)
                .toList();
    }

    private Optional<Instant> at(Wanted what, StoredThread thread) {
        return switch (what) {
            case UNFINISHED -> thread.unfinished.map(batch -> thread.unfinishedSince);
            case IDLE -> thread.touched.filter(at -> thread.unfinished.isEmpty());
            case DUE -> thread.unfinished.flatMap(Batch::dueAt);
            case DESERTED ->
                Optional.ofNullable(leases.get(thread.id))
                        .filter(held -> thread.unfinished.isPresent() || thread.turn.isPresent())
                        .map(held -> held.until);
        };
    }

    @Override
    public synchronized List<OpenBatch> open(String agent, Optional<String> owner, Place after, int limit) {
        return threadsOf(agent)
                .filter(thread -> owner.isEmpty() || owner.get().equals(thread.owner))
                .flatMap(StoredThread::open)
                .filter(open -> ORDER.compare(open.place(), after) > 0)
                .sorted(Comparator.comparing(OpenBatch::place, ORDER))
                .limit(limit)
                .toList();
    }

    @Override
    public synchronized int purge(Old what, String agent, Instant before, int limit) {
        Stream<Due> all =
                switch (what) {
                    case BATCH -> threadsOf(agent).flatMap(StoredThread::finishedBatches);
                    case GRANT ->
                        threadsOf(agent).flatMap(thread -> thread.grants.values().stream()
                                .map(grant -> new Due(grant.expiresAt(), () -> thread.grants.remove(grant.id()))));
                    case AUDIT_EVENT ->
                        trails.entrySet().stream()
                                .filter(trail -> Store.isThreadOf(agent, trail.getKey()))
                                .map(Map.Entry::getValue)
                                .flatMap(trail -> trail.stream()
                                        .takeWhile(event -> event.at().isBefore(before))
                                        .map(event -> new Due(event.at(), trail::removeFirst)));
                };
        List<Due> due = all.filter(each -> each.since().isBefore(before))
                .sorted(Comparator.comparing(Due::since))
                .limit(limit)
                .toList();
        due.forEach(each -> each.removal().run());
        return due.size();
    }

    private record Due(Instant since, Runnable removal) {}

    @Override
    public synchronized List<Grant> grants(String threadId) {
        return Grant.oldestFirst(thread(threadId).grants.values());
    }

    @Override
    public synchronized boolean revokeGrant(String threadId, String grantId, AuditEvent event) {
        boolean revoked = thread(threadId).grants.remove(grantId) != null;
        if (revoked) {
            addToTrail(threadId, List.of(event));
        }
        return revoked;
    }

    @Override
    public synchronized List<AuditEvent> audit(List<AuditEvent> events) {
        List<AuditEvent> added = new ArrayList<>();
        for (AuditEvent event : events) {
            if (trail(event.threadId()).noneMatch(event::repeats)) {
                addToTrail(event.threadId(), List.of(event));
                added.add(event);
            }
        }
        return added;
    }

    @Override
    public synchronized List<AuditEvent> auditTrail(String threadId, long offset, int limit) {
        return trail(threadId).skip(offset).limit(limit).toList();
    }

    private Stream<AuditEvent> trail(String threadId) {
        return trails.getOrDefault(threadId, new ArrayDeque<>()).stream();
    }

    private void addToTrail(String threadId, List<AuditEvent> events) {
        if (!events.isEmpty()) {
            Deque<AuditEvent> trail = trails.computeIfAbsent(threadId, id -> new ArrayDeque<>());
            trail.addAll(events);
            while (trail.size() > MAX_AUDIT_EVENTS) {
                trail.removeFirst();
            }
        }
    }

    @Override
    public synchronized List<String> check() {
        Stream<String> batches = threads.values().stream().flatMap(thread -> thread.batches.values().stream()
                .filter(batch -> batch.state() != Batch.State.FINISHED)
                .filter(batch -> !thread.unfinished.equals(Optional.of(batch)))
                .map(batch -> "Batch " + batch.id() + " of thread " + thread.id + " is " + batch.state()
                        + ", but the thread does not work on it."));
        Stream<String> events = trails.values().stream()
                .flatMap(Deque::stream)
                .filter(event -> !isComplete(event))
                .map(event -> "The audit trail of thread " + event.threadId() + " says " + event.kind() + " of "
                        + event.toolCallId().orElse("no call") + ", which the thread does not have.");
        return Stream.concat(batches, events).limit(MAX_FINDINGS).toList();
    }

    private boolean isComplete(AuditEvent event) {
        StoredThread thread = thread(event.threadId());
        return thread.purged
                || switch (event.kind()) {
                    case HELD ->
                        thread.batchOfInterrupt.containsKey(event.interruptId().orElse(""));
                    case PROPOSED ->
                        thread.toolCalls.contains(event.toolCallId().orElse(""));
                    default -> true;
                };
    }
}
