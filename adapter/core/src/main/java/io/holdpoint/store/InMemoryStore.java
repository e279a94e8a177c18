package io.holdpoint.store;

import com.fasterxml.jackson.databind.JsonNode;
import io.holdpoint.agui.Message;
import io.holdpoint.store.Call.Question;
import io.holdpoint.store.Store.Abandoned;
import io.holdpoint.store.Store.Lease;
import io.holdpoint.store.Store.OpenBatch;
import io.holdpoint.store.Store.ThreadRecord;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Keeps everything in this process: for tests, trials and applications that may forget. A restart empties it; of an
 * audit trail the last {@value #MAX_AUDIT_EVENTS} events are kept. Thread-safe.
 */
public final class InMemoryStore implements Store {

    /** The number of audit events that are kept of a thread. */
    public static final int MAX_AUDIT_EVENTS = 1_000;

    private final Map<String, StoredThread> threads = new ConcurrentHashMap<>();
    private final Map<String, Held> leases = new ConcurrentHashMap<>();
    private final Map<String, Trail> trails = new ConcurrentHashMap<>();
    /** The threads with open questions, those first that were asked first. */
    private final NavigableMap<OpenBatch.Position, StoredThread> asked = new ConcurrentSkipListMap<>(
            Comparator.comparing(OpenBatch.Position::askedAt).thenComparing(OpenBatch.Position::threadId));

    private final AtomicLong epochs = new AtomicLong();

    private record Held(Lease lease, Instant until, boolean cancelRequested, Optional<Message.Assistant> said) {

        Held until(Instant later) {
            return new Held(lease, later, cancelRequested, said);
        }

        Held cancelled() {
            return new Held(lease, until, true, said);
        }

        Held saying(Message.Assistant text) {
            return new Held(lease, until, cancelRequested, Optional.of(text));
        }
    }

    @Override
    public Optional<Lease> acquire(String threadId, String runId, String caller, Instant now, Instant until) {
        Lease lease = new Lease(threadId, runId, caller, epochs.incrementAndGet());
        Held mine = new Held(lease, until, false, Optional.empty());
        Held present = leases.compute(
                threadId, (id, held) -> held == null || !held.until().isAfter(now) ? mine : held);
        return present == mine ? Optional.of(lease) : Optional.empty();
    }

    @Override
    public boolean renew(Lease lease, Instant until) {
        Held present = leases.computeIfPresent(
                lease.threadId(), (id, held) -> held.lease().equals(lease) ? held.until(until) : held);
        return present != null && present.lease().equals(lease);
    }

    @Override
    public void release(Lease lease) {
        leases.computeIfPresent(lease.threadId(), (id, held) -> held.lease().equals(lease) ? null : held);
    }

    @Override
    public boolean requestCancel(String threadId, Instant now) {
        Held present =
                leases.computeIfPresent(threadId, (id, held) -> held.until().isAfter(now) ? held.cancelled() : held);
        return present != null && present.until().isAfter(now);
    }

    @Override
    public boolean isCancelRequested(Lease lease) {
        Held present = leases.get(lease.threadId());
        return present != null && present.lease().equals(lease) && present.cancelRequested();
    }

    @Override
    public Optional<Lease> active(String threadId, Instant now) {
        return Optional.ofNullable(leases.get(threadId))
                .filter(held -> held.until().isAfter(now))
                .map(Held::lease);
    }

    @Override
    public Optional<ThreadRecord> find(String threadId) {
        return thread(threadId).map(StoredThread::read);
    }

    @Override
    public Optional<ThreadHead> head(String threadId) {
        return thread(threadId).map(StoredThread::head);
    }

    @Override
    public void say(Lease lease, Message.Assistant text) {
        leases.computeIfPresent(lease.threadId(), (id, held) -> held.lease().equals(lease) ? held.saying(text) : held);
    }

    @Override
    public Optional<Message.Assistant> said(Lease lease) {
        return Optional.ofNullable(leases.get(lease.threadId()))
                .filter(held -> held.lease().equals(lease))
                .flatMap(Held::said);
    }

    @Override
    public void discard(Lease lease, List<AuditEvent> events) {
        leases.compute(lease.threadId(), (threadId, held) -> {
            if (held == null || !held.lease().equals(lease)) {
                throw new LeaseLostException(lease + " was lost; the thread's lease is " + held);
            }
            thread(threadId).ifPresent(thread -> {
                thread.open().ifPresent(open -> asked.remove(open.position()));
                thread.discard();
            });
            trail(threadId).addAll(events);
            return held;
        });
    }

    @Override
    public List<Message> transcript(String threadId) {
        return thread(threadId)
                .map(thread -> thread.ofTranscript(InMemoryTranscript::messages))
                .orElse(List.of());
    }

    @Override
    public int countMessages(String threadId) {
        return thread(threadId)
                .map(thread -> thread.ofTranscript(InMemoryTranscript::count))
                .orElse(0);
    }

    @Override
    public List<Message> transcriptAfter(String threadId, String messageId) {
        return thread(threadId)
                .map(thread -> thread.ofTranscript(transcript -> transcript.after(messageId)))
                .orElse(List.of());
    }

    @Override
    public List<Message> cutMessages(String threadId) {
        return thread(threadId)
                .map(thread -> thread.ofTranscript(InMemoryTranscript::cutMessages))
                .orElse(List.of());
    }

    @Override
    public Map<String, Boolean> known(String threadId, Collection<String> messageIds) {
        return thread(threadId)
                .map(thread -> thread.ofTranscript(transcript -> transcript.known(messageIds)))
                .orElse(Map.of());
    }

    @Override
    public boolean hasRun(String threadId, String runId) {
        return thread(threadId)
                .filter(thread -> thread.ofTranscript(transcript -> transcript.hasRun(runId)))
                .isPresent();
    }

    @Override
    public boolean hasToolCall(String threadId, String toolCallId) {
        return thread(threadId).filter(thread -> thread.hasToolCall(toolCallId)).isPresent();
    }

    @Override
    public Optional<Batch> findByInterrupt(String threadId, String interruptId) {
        return thread(threadId).flatMap(thread -> thread.byInterrupt(interruptId));
    }

    @Override
    public boolean hasInterrupt(String threadId, String interruptId) {
        return thread(threadId)
                .filter(thread -> thread.hasInterrupt(interruptId))
                .isPresent();
    }

    @Override
    public int countInterrupts(String threadId, int limit) {
        return thread(threadId)
                .map(thread -> Math.min(limit, thread.countInterrupts()))
                .orElse(0);
    }

    @Override
    public void commit(Lease lease, Commit commit, Instant now) {
        // under the lock of the lease, so that nobody takes over between the check and the write
        leases.compute(lease.threadId(), (threadId, held) -> {
            if (held == null || !held.lease().equals(lease)) {
                throw new LeaseLostException(lease + " was lost; the thread's lease is " + held);
            }
            threads.compute(threadId, (id, known) -> {
                StoredThread thread = known == null ? new StoredThread(id, lease.caller()) : known;
                if (commit.batches().isEmpty()) {
                    thread.write(commit, lease.runId(), now);
                    return thread;
                }
                Optional<OpenBatch> before = thread.open();
                thread.write(commit, lease.runId(), now);
                before.ifPresent(past -> asked.remove(past.position()));
                thread.open().ifPresent(open -> asked.put(open.position(), thread));
                return thread;
            });
            List<AuditEvent> events = commit.audit();
            if (!events.isEmpty()) {
                trail(threadId).addAll(events);
            }
            return commit.releases() ? null : held;
        });
    }

    @Override
    public List<Abandoned> abandoned(String agent, Abandoned after, Instant before, int limit) {
        return page(agent, StoredThread::unfinishedSince, after, before, limit);
    }

    private List<Abandoned> page(
            String agent, Function<StoredThread, Optional<Instant>> since, Abandoned after, Instant before, int limit) {
        Comparator<Abandoned> order = Comparator.comparing(Abandoned::since).thenComparing(Abandoned::threadId);
        return threads.values().stream()
                .filter(thread -> Store.isThreadOf(agent, thread.id()))
                .flatMap(thread -> since.apply(thread).map(time -> new Abandoned(thread.id(), time)).stream())
                .filter(each -> each.since().isBefore(before) && order.compare(each, after) > 0)
                .sorted(order)
                .limit(limit)
                .toList();
    }

    @Override
    public List<OpenBatch> open(String agent, Optional<String> owner, OpenBatch.Position after, int limit) {
        return asked.tailMap(after, false).entrySet().stream()
                .flatMap(entry ->
                        entry.getValue().open().filter(open -> open.position().equals(entry.getKey())).stream())
                .filter(open -> Store.isThreadOf(agent, open.threadId()))
                .filter(open -> owner.isEmpty() || owner.get().equals(open.owner()))
                .limit(limit)
                .toList();
    }

    @Override
    public int purge(String agent, Instant before, int limit) {
        record Finished(StoredThread thread, String batchId, Instant at) {}
        List<Finished> old = threads.values().stream()
                .filter(thread -> Store.isThreadOf(agent, thread.id()))
                .flatMap(thread -> thread.finishedBefore(before).entrySet().stream()
                        .map(entry -> new Finished(thread, entry.getKey(), entry.getValue())))
                .sorted(Comparator.comparing(Finished::at))
                .limit(limit)
                .toList();
        old.forEach(batch -> batch.thread().purge(batch.batchId()));
        return old.size();
    }

    @Override
    public List<Abandoned> idle(String agent, Abandoned after, Instant before, int limit) {
        return page(agent, StoredThread::idleSince, after, before, limit);
    }

    @Override
    public void purgeThread(Lease lease) {
        leases.compute(lease.threadId(), (threadId, held) -> {
            if (held == null || !held.lease().equals(lease)) {
                throw new LeaseLostException(lease + " was lost; the thread's lease is " + held);
            }
            thread(threadId).ifPresent(thread -> {
                thread.open().ifPresent(open -> asked.remove(open.position()));
                thread.purge();
            });
            return held;
        });
    }

    @Override
    public int purgeAudit(String agent, Instant before, int limit) {
        int removed = 0;
        for (Map.Entry<String, Trail> trail : trails.entrySet()) {
            if (Store.isThreadOf(agent, trail.getKey())) {
                removed += trail.getValue().purge(before, limit - removed);
            }
        }
        return removed;
    }

    @Override
    public List<Grant> grants(String threadId) {
        return thread(threadId).map(StoredThread::grants).orElse(List.of());
    }

    @Override
    public boolean revokeGrant(String threadId, String grantId, AuditEvent event) {
        boolean revoked =
                thread(threadId).filter(thread -> thread.revoke(grantId)).isPresent();
        if (revoked) {
            trail(threadId).addAll(List.of(event));
        }
        return revoked;
    }

    @Override
    public int purgeGrants(String agent, Instant before, int limit) {
        record Expired(StoredThread thread, Grant grant) {}
        List<Expired> old = threads.values().stream()
                .filter(thread -> Store.isThreadOf(agent, thread.id()))
                .flatMap(thread -> thread.grants().stream().map(grant -> new Expired(thread, grant)))
                .filter(each -> each.grant().expiresAt().isBefore(before))
                .sorted(Comparator.comparing(each -> each.grant().expiresAt()))
                .limit(limit)
                .toList();
        return (int) old.stream()
                .filter(each -> each.thread().revoke(each.grant().id()))
                .count();
    }

    @Override
    public List<AuditEvent> audit(List<AuditEvent> events) {
        return events.stream()
                .filter(event -> trail(event.threadId()).addNew(event))
                .toList();
    }

    @Override
    public List<AuditEvent> auditTrail(String threadId, long offset, int limit) {
        Trail trail = trails.get(threadId);
        return trail == null ? List.of() : trail.read(offset, limit);
    }

    private Trail trail(String threadId) {
        return trails.computeIfAbsent(threadId, id -> new Trail());
    }

    /** Reads the trails first: the threads know all that the trails say, and may know more by then. */
    @Override
    public List<String> check() {
        List<AuditEvent> transitions = trails.values().stream()
                .flatMap(trail -> trail.read(0, MAX_AUDIT_EVENTS).stream())
                .filter(event -> event.kind() == AuditEvent.Kind.PROPOSED || event.kind() == AuditEvent.Kind.HELD)
                .toList();
        Stream<String> halves = transitions.stream()
                .filter(event -> !isComplete(event))
                .map(event -> "The audit trail of thread " + event.threadId() + " says " + event.kind() + " of "
                        + event.toolCallId().orElse("no call") + ", which the thread does not have.");
        return Stream.concat(threads.values().stream().flatMap(thread -> thread.check().stream()), halves)
                .limit(MAX_FINDINGS)
                .toList();
    }

    private boolean isComplete(AuditEvent event) {
        StoredThread thread = threads.get(event.threadId());
        return thread != null
                && (thread.isPurged()
                        || (event.kind() == AuditEvent.Kind.HELD
                                ? event.interruptId()
                                        .filter(thread::hasInterrupt)
                                        .isPresent()
                                : event.toolCallId().filter(thread::hasToolCall).isPresent()));
    }

    private Optional<StoredThread> thread(String threadId) {
        return Optional.ofNullable(threads.get(threadId));
    }

    /** One thread. Thread-safe. */
    private static final class StoredThread {

        private final String id;
        private final String owner;
        private final InMemoryTranscript transcript = new InMemoryTranscript();
        private final Map<String, Batch> batches = new HashMap<>();
        private final Map<String, Instant> finished = new HashMap<>();
        private final Map<String, String> batchOfInterrupt = new HashMap<>();
        private final Set<String> toolCalls = new HashSet<>();
        private final Map<String, Grant> grants = new LinkedHashMap<>();
        private Optional<JsonNode> state = Optional.empty();
        private Optional<TurnRecord> turn = Optional.empty();
        private Optional<Batch> unfinished = Optional.empty();
        private Instant changed = Instant.MIN;
        private Optional<Instant> touched = Optional.empty();
        private boolean purged;

        StoredThread(String id, String owner) {
            this.id = id;
            this.owner = owner;
        }

        String id() {
            return id;
        }

        synchronized ThreadRecord read() {
            return new ThreadRecord(id, owner, state, turn, unfinished, touched, purged);
        }

        synchronized ThreadHead head() {
            return new ThreadHead(id, owner, unfinished.map(Batch::id), turn.isPresent());
        }

        synchronized void discard() {
            unfinished.ifPresent(batch -> batches.remove(batch.id()));
            unfinished = Optional.empty();
            turn = Optional.empty();
        }

        synchronized <T> T ofTranscript(Function<InMemoryTranscript, T> reads) {
            return reads.apply(transcript);
        }

        synchronized boolean hasToolCall(String toolCallId) {
            return toolCalls.contains(toolCallId);
        }

        synchronized boolean hasInterrupt(String interruptId) {
            return purged || batchOfInterrupt.containsKey(interruptId);
        }

        synchronized int countInterrupts() {
            return batchOfInterrupt.size();
        }

        synchronized Optional<Batch> byInterrupt(String interruptId) {
            return Optional.ofNullable(batchOfInterrupt.get(interruptId)).map(batches::get);
        }

        /** When the unfinished batch changed last. */
        synchronized Optional<Instant> unfinishedSince() {
            return unfinished.map(batch -> changed);
        }

        /** The batch with open questions, if there is one. */
        synchronized Optional<OpenBatch> open() {
            return unfinished.flatMap(
                    batch -> batch.askedAt().map(askedAt -> new OpenBatch(id, owner, askedAt, Optional.of(batch))));
        }

        /** Which finished batches changed last before a time, and when. */
        synchronized Map<String, Instant> finishedBefore(Instant before) {
            return finished.entrySet().stream()
                    .filter(entry -> entry.getValue().isBefore(before))
                    .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue));
        }

        synchronized void purge(String batchId) {
            batches.remove(batchId);
            finished.remove(batchId);
        }

        /** When something was committed last, of a thread without an unfinished batch. */
        synchronized Optional<Instant> idleSince() {
            return unfinished.isPresent() ? Optional.empty() : touched;
        }

        synchronized boolean isPurged() {
            return purged;
        }

        /** Removes everything but the thread itself. */
        synchronized void purge() {
            transcript.clear();
            batches.clear();
            finished.clear();
            batchOfInterrupt.clear();
            toolCalls.clear();
            grants.clear();
            state = Optional.empty();
            turn = Optional.empty();
            unfinished = Optional.empty();
            touched = Optional.empty();
            purged = true;
        }

        synchronized List<Grant> grants() {
            return Grant.oldestFirst(grants.values());
        }

        synchronized boolean revoke(String grantId) {
            return grants.remove(grantId) != null;
        }

        synchronized void write(Commit commit, String runId, Instant now) {
            List<Batch> next = commit.batches();
            Map<String, Long> versions = new HashMap<>();
            next.forEach(batch -> requirePrevious(batch, versions));
            next.forEach(this::requireGrants);
            touched = Optional.of(now);
            next.forEach(batch -> put(batch, now));
            transcript.write(commit, runId);
            commit.grants().forEach(grant -> grants.put(grant.id(), grant));
            commit.state().ifPresent(known -> state = Optional.of(known));
            Commit.TurnChange change = commit.turn();
            if (change instanceof Commit.TurnChange.Put put) {
                turn = Optional.of(put.turn());
            } else if (change instanceof Commit.TurnChange.Finish) {
                turn = Optional.empty();
            }
        }

        /** Says what does not fit together. */
        synchronized List<String> check() {
            List<String> findings = new ArrayList<>();
            if (unfinished.isPresent() && batches.get(unfinished.get().id()) != unfinished.get()) {
                findings.add(
                        "Thread " + id + " works on batch " + unfinished.get().id() + ", which is not stored.");
            }
            for (Batch batch : batches.values()) {
                String name = "Batch " + batch.id() + " of thread " + id;
                boolean isUnfinished = batch.state() != Batch.State.FINISHED;
                if (isUnfinished != unfinished.filter(batch::equals).isPresent()) {
                    findings.add(name + " is " + batch.state() + ", but the thread "
                            + (isUnfinished ? "does not work on it." : "works on it."));
                }
                for (Call call : batch.calls()) {
                    if (!toolCalls.contains(call.toolCallId())) {
                        findings.add(name + " has the tool call " + call.toolCallId() + ", which is not indexed.");
                    }
                    for (Question question : call.questions()) {
                        if (!batch.id()
                                .equals(batchOfInterrupt.get(
                                        question.interrupt().id()))) {
                            findings.add(name + " asks " + question.interrupt().id() + ", which is not indexed.");
                        }
                    }
                }
            }
            return findings;
        }

        /** A commit may have several transitions of a batch, one after the other. */
        private void requirePrevious(Batch batch, Map<String, Long> versions) {
            Batch stored = batches.get(batch.id());
            long present = versions.getOrDefault(batch.id(), stored == null ? -1 : stored.version());
            if (present != batch.version() - 1) {
                throw new StoreConflictException(
                        "batch " + batch.id() + " is not at version " + (batch.version() - 1) + " any more");
            }
            versions.put(batch.id(), batch.version());
        }

        private void requireGrants(Batch batch) {
            for (Call call : batch.calls()) {
                if (!call.startsBy(batch.version()).map(grants::containsKey).orElse(true)) {
                    throw new StoreConflictException(
                            "the decision " + call.grantId() + " by which " + call.toolCallId() + " starts is revoked");
                }
            }
        }

        private void put(Batch batch, Instant now) {
            String batchId = batch.id();
            boolean finishes = batch.state() == Batch.State.FINISHED;
            boolean asks = false;
            batches.put(batchId, batch);
            for (Call call : batch.calls()) {
                toolCalls.add(call.toolCallId());
                for (Question question : call.questions()) {
                    asks = true;
                    batchOfInterrupt.put(question.interrupt().id(), batchId);
                }
            }
            if (!finishes) {
                unfinished = Optional.of(batch);
                changed = now;
                return;
            }
            if (unfinished.filter(open -> open.id().equals(batchId)).isPresent()) {
                unfinished = Optional.empty();
            }
            if (asks) {
                finished.put(batchId, now);
            } else {
                batches.remove(batchId);
            }
        }
    }
}
