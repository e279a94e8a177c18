package io.holdpoint.store;

import io.holdpoint.agui.Message;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

/**
 * Keeps everything in this process, under one lock for each agent: for tests, trials and applications that may forget. A restart empties
 * it; of an audit trail the last {@value #MAX_AUDIT_EVENTS} events are kept. Thread-safe.
 */
public final class InMemoryStore implements Store {

    /** The number of audit events that are kept of a thread. */
    public static final int MAX_AUDIT_EVENTS = 1_000;

    /** Stands for a thread that the store does not know. */
    private static final StoredThread NONE = new StoredThread("", "");

    private final Map<String, StoredThread> threads = new HashMap<>();
    private final Map<String, Held> leases = new HashMap<>();
    private final PlaceIndex unfinished = new PlaceIndex();
    private final PlaceIndex due = new PlaceIndex();
    private final PlaceIndex idle = new PlaceIndex();
    /** By the first of a thread's finished batches. */
    private final PlaceIndex settled = new PlaceIndex();

    private final PlaceIndex asked = new PlaceIndex();
    private final Map<String, PlaceIndex> askedByOwner = new HashMap<>();
    private final Map<String, Deque<Fed>> trails = new HashMap<>();
    /** The events of all trails. */
    private final NavigableMap<Long, AuditEvent> feed = new TreeMap<>();

    private final StoredFacts facts = new StoredFacts();
    private long epochs;
    private long positions;

    private final String agent;
    private final All all;

    /** State that is not an agent's alone: halts are known by the name by which agents are halted. */
    private record All(Map<String, InMemoryStore> agents, Map<String, Halt> halts) {}

    /** An empty store. */
    public InMemoryStore() {
        this("", new All(new ConcurrentHashMap<>(), new ConcurrentHashMap<>()));
        all.agents.put(agent, this);
    }

    private InMemoryStore(String agent, All all) {
        this.agent = agent;
        this.all = all;
    }

    @Override
    public InMemoryStore of(String name) {
        return all.agents.computeIfAbsent(name, absent -> new InMemoryStore(absent, all));
    }

    /** A lease, and what is forgotten with it. */
    private static final class Held {

        private final Lease lease;
        private Instant until;
        private boolean cancelRequested;
        private Optional<Message.Assistant> said = Optional.empty();

        Held(Lease lease, Instant until) {
            this.lease = lease;
            this.until = until;
            this.cancelRequested = lease.cancels();
        }
    }

    /** A thread, to be read; one without anything in it if the store does not know it. */
    private StoredThread thread(String threadId) {
        return threads.getOrDefault(threadId, NONE);
    }

    private Optional<Held> held(Lease lease) {
        Held held = leases.get(lease.threadId());
        return held != null && held.lease.equals(lease) ? Optional.of(held) : Optional.empty();
    }

    private Optional<Held> held(String threadId, Instant now) {
        Held held = leases.get(threadId);
        return held != null && held.until.isAfter(now) ? Optional.of(held) : Optional.empty();
    }

    private void requireHeld(Lease lease) {
        if (held(lease).isEmpty()) {
            throw new LeaseLostException(lease + " was lost");
        }
    }

    private void requireNotHalted() {
        Optional<Halt> halt = halted();
        if (halt.isPresent()) {
            throw new HaltedException(halt.get().agent());
        }
    }

    @Override
    public synchronized Optional<Acquired> acquireOwn(
            String threadId, String runId, String caller, Instant now, Instant until) {
        return Store.super.acquireOwn(threadId, runId, caller, now, until);
    }

    @Override
    public boolean halt(Optional<Halt> halt, List<AuditEvent> events) {
        String name = Store.halting(agent);
        synchronized (this) {
            boolean changed =
                    halt.isPresent() ? all.halts.putIfAbsent(name, halt.get()) == null : all.halts.remove(name) != null;
            if (!changed) {
                return false;
            }
            events.forEach(event -> addToTrail(event.threadId(), List.of(event)));
        }
        for (InMemoryStore each : all.agents.values()) {
            synchronized (each) { // a commit that has not seen the halt is over
                continue;
            }
        }
        return true;
    }

    @Override
    public Optional<Halt> halted() {
        Halt own = all.halts.get(Store.halting(agent));
        return Optional.ofNullable(own == null ? all.halts.get(ALL_AGENTS) : own);
    }

    @Override
    public synchronized Optional<Lease> acquire(
            String threadId, String runId, String caller, Instant now, Instant until) {
        if (held(threadId, now).isPresent()) {
            return Optional.empty();
        }
        Held ended = leases.get(threadId);
        Lease lease = new Lease(threadId, runId, caller, ++epochs, ended != null && ended.cancelRequested);
        leases.put(threadId, new Held(lease, until));
        return Optional.of(lease);
    }

    @Override
    public synchronized Renewal renew(Lease lease, Instant until) {
        Optional<Held> present = held(lease);
        present.ifPresent(held -> held.until = until);
        if (present.isEmpty()) {
            return Renewal.LOST;
        } else if (present.get().cancelRequested) {
            return Renewal.CANCEL_REQUESTED;
        }
        return halted().isPresent() ? Renewal.HALTED : Renewal.RENEWED;
    }

    @Override
    public synchronized void release(Lease lease) {
        if (held(lease).isPresent()) {
            leases.remove(lease.threadId());
        }
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
        StoredThread thread = threads.get(threadId);
        return thread == null
                ? Optional.empty()
                : Optional.of(new ThreadRecord(
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
    public synchronized List<Message> transcript(String threadId, Range range) {
        StoredThread thread = thread(threadId);
        if (range.cut()) {
            return List.copyOf(thread.cut.values());
        }
        int size = thread.messages.size();
        int from = range.after().isEmpty()
                ? 0
                : thread.places.getOrDefault(range.after().get(), size - 1) + 1;
        return List.copyOf(thread.messages.subList(from, size));
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
    public synchronized Optional<Batch> findBatch(String threadId, By by, String id) {
        StoredThread thread = thread(threadId);
        return Optional.ofNullable(thread.batches.get(by == By.BATCH ? id : thread.batchOfInterrupt.get(id)));
    }

    @Override
    public synchronized void commit(Lease lease, Commit commit, Instant now) {
        requireHeld(lease);
        StoredThread known = threads.get(lease.threadId());
        StoredThread thread = known == null ? new StoredThread(lease.threadId(), lease.caller()) : known;
        thread.requireConsistent(commit.batches());
        List<Fact.Change> changes = changes(commit, thread.id, now);
        if (!thread.id.startsWith(Fact.READER)) {
            write(thread, lease, commit, now);
        }
        for (Fact.Change change : changes) {
            facts(change.fact().key()).change(change);
        }
        if (commit.releases()) {
            leases.remove(thread.id);
        }
    }

    private void write(StoredThread thread, Lease lease, Commit commit, Instant now) {
        thread.write(commit, lease.runId(), now);
        StoredThread left = thread;
        if (commit.turn() instanceof Commit.TurnChange.Discard discard) {
            left = thread.without(discard.part());
            if (discard.part() == Part.ALL) {
                facts.forget(thread.id);
            }
        }
        threads.put(left.id, left);
        index(left);
        addToTrail(left.id, commit.audit());
    }

    /** Finds the changes of what is known that a commit makes, with what its calls use of that when they start. */
    private List<Fact.Change> changes(Commit commit, String threadId, Instant now) {
        List<Fact.Change> changes = new ArrayList<>();
        for (Fact.Change change : commit.facts()) {
            changes.add(change.on(threadId));
        }
        if (changes.size() > 1) {
            changes.sort(Comparator.comparing(Fact.Change::how));
        }
        for (Batch batch : commit.batches()) {
            for (Change change : batch.changes()) {
                if (change instanceof Change.Claimed claimed) {
                    requireNotHalted();
                    Optional<Fact.Key> key = claimed.startsBy(threadId);
                    Optional<Fact> used = key.isEmpty() ? Optional.empty() : claimed.use(find(key.get(), changes), now);
                    if (used.isPresent()) {
                        changes.add(new Fact.Change(Fact.How.PUT, used.get()));
                    }
                }
            }
        }
        return changes;
    }

    private Optional<Fact> find(Fact.Key key, List<Fact.Change> changes) {
        Optional<Fact> found = facts(key).find(key);
        for (Fact.Change change : changes) {
            if (change.fact().key().equals(key)) {
                found = Optional.of(change.fact()).filter(fact -> change.how() == Fact.How.PUT);
            }
        }
        return found;
    }

    private StoredFacts facts(Fact.Key key) {
        return of(key.agent(agent)).facts;
    }

    @Override
    public List<Fact> facts(String kind, String place) {
        return facts(new Fact.Key(kind, place, "")).list(kind, place);
    }

    @Override
    public synchronized List<Place> threads(Wanted what, Place after, Instant before, int limit) {
        boolean isTimeIncluded = what == Wanted.DUE || what == Wanted.DESERTED;
        Stream<Place> inOrder =
                switch (what) {
                    case UNFINISHED -> unfinished.after(after);
                    case DUE -> due.after(after);
                    case DESERTED ->
                        leases.values().stream().flatMap(this::deserted).sorted(PlaceIndex.ORDER);
                    case IDLE -> idle.after(after);
                };
        return inOrder.takeWhile(place -> place.at().isBefore(before)
                        || isTimeIncluded && place.at().equals(before))
                .filter(place -> PlaceIndex.ORDER.compare(place, after) > 0)
                .limit(limit)
                .toList();
    }

    private Stream<Place> deserted(Held held) {
        StoredThread thread = thread(held.lease.threadId());
        return thread.unfinished.isPresent() || thread.turn.isPresent()
                ? Stream.of(new Place(held.until, thread.id))
                : Stream.empty();
    }

    /** Finds a thread that has changed where its times say now. */
    private void index(StoredThread thread) {
        Optional<Batch> batch = thread.unfinished;
        unfinished.put(thread.id, batch.isPresent() ? Optional.of(thread.unfinishedSince) : Optional.empty());
        due.put(thread.id, batch.isPresent() ? batch.get().dueAt() : Optional.empty());
        idle.put(thread.id, batch.isPresent() ? Optional.empty() : thread.touched);
        settled.put(thread.id, thread.firstFinished());
        Optional<Instant> askedAt = batch.isPresent() ? batch.get().askedAt() : Optional.empty();
        asked.put(thread.id, askedAt);
        if (askedAt.isPresent() || askedByOwner.containsKey(thread.owner)) {
            askedByOwner
                    .computeIfAbsent(thread.owner, owner -> new PlaceIndex())
                    .put(thread.id, askedAt);
            askedByOwner.computeIfPresent(thread.owner, (owner, open) -> open.isEmpty() ? null : open);
        }
    }

    @Override
    public synchronized List<OpenBatch> open(Optional<String> owner, Place after, int limit) {
        PlaceIndex open = owner.isPresent() ? askedByOwner.getOrDefault(owner.get(), new PlaceIndex()) : asked;
        return open.after(after)
                .limit(limit)
                .flatMap(place -> thread(place.threadId()).open())
                .toList();
    }

    @Override
    public synchronized int purge(Old what, Instant before, int limit) {
        long done = what == Old.AUDIT_EVENT ? FeedPlace.done(this, before) : 0;
        int removed = 0;
        while (removed < limit
                && switch (what) {
                    case BATCH -> removesBatch(before);
                    case FACT -> facts.removesEnded(before);
                    case AUDIT_EVENT -> removesEvent(before, done);
                }) {
            removed++;
        }
        return removed;
    }

    private boolean removesBatch(Instant before) {
        Optional<Place> first = settled.firstBefore(before);
        if (first.isPresent()) {
            StoredThread thread = thread(first.get().threadId());
            thread.removeFirstFinished();
            settled.put(thread.id, thread.firstFinished());
        }
        return first.isPresent();
    }

    private boolean removesEvent(Instant before, long done) {
        Map.Entry<Long, AuditEvent> first = feed.firstEntry();
        if (first == null || first.getKey() > done || !first.getValue().at().isBefore(before)) {
            return false;
        }
        removeFirst(trails.get(first.getValue().threadId()));
        return true;
    }

    @Override
    public synchronized List<AuditEvent> audit(Optional<Fact.Key> revoked, List<AuditEvent> events) {
        List<AuditEvent> added = new ArrayList<>();
        if (revoked.isPresent() && !facts(revoked.get()).remove(revoked.get())) {
            return added;
        }
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
        return trails.getOrDefault(threadId, new ArrayDeque<>()).stream().map(Fed::event);
    }

    private void addToTrail(String threadId, List<AuditEvent> events) {
        for (AuditEvent event : events) {
            Deque<Fed> trail = trails.get(threadId);
            if (trail == null) {
                trail = new ArrayDeque<>();
                trails.put(threadId, trail);
            }
            trail.add(new Fed(++positions, event));
            feed.put(positions, event);
            if (trail.size() > MAX_AUDIT_EVENTS) {
                removeFirst(trail);
            }
        }
    }

    private void removeFirst(Deque<Fed> trail) {
        feed.remove(trail.removeFirst().position());
    }

    @Override
    public synchronized List<Fed> feed(long after, int limit, boolean complete) {
        return feed.tailMap(after, false).entrySet().stream()
                .map(event -> new Fed(event.getKey(), event.getValue()))
                .limit(limit)
                .toList();
    }

    @Override
    public synchronized long feedEnd() {
        return positions;
    }

    @Override
    public List<String> check() {
        return all.agents.values().stream()
                .flatMap(InMemoryStore::findings)
                .limit(MAX_FINDINGS)
                .toList();
    }

    private synchronized Stream<String> findings() {
        List<String> found = new ArrayList<>();
        for (StoredThread thread : threads.values()) {
            for (Batch batch : thread.batches.values()) {
                if (batch.state() != Batch.State.FINISHED && !thread.unfinished.equals(Optional.of(batch))) {
                    found.add("Batch " + batch.id() + " of thread " + thread.id + " is " + batch.state()
                            + ", but the thread does not work on it.");
                }
            }
        }
        for (AuditEvent event : feed.values()) {
            if (!isComplete(event)) {
                found.add("The audit trail of thread " + event.threadId() + " says " + event.kind() + " of "
                        + event.toolCallId().orElse("no call") + ", which the thread does not have.");
            }
        }
        return found.stream();
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
