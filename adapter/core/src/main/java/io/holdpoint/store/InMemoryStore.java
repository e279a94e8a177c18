package io.holdpoint.store;

import io.holdpoint.agui.Message;
import java.time.Instant;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Keeps everything in this process: for tests, trials and applications that may forget. Nothing survives a restart; of an
 * audit trail the last {@value #MAX_AUDIT_EVENTS} events are kept. Thread-safe.
 */
public final class InMemoryStore implements Store {

    /** How many audit events of a thread are kept. */
    public static final int MAX_AUDIT_EVENTS = 1_000;

    private final Map<String, InMemoryThread> threads = new ConcurrentHashMap<>();
    private final Map<String, Held> leases = new ConcurrentHashMap<>();
    private final InMemoryAudit audit = new InMemoryAudit();
    private final AtomicLong epochs = new AtomicLong();

    private record Held(Lease lease, Instant until, boolean cancelRequested) {}

    @Override
    public Optional<Lease> acquire(String threadId, String runId, String caller, Instant now, Instant until) {
        Lease lease = new Lease(threadId, runId, caller, epochs.incrementAndGet());
        Held mine = new Held(lease, until, false);
        Held present = leases.compute(
                threadId, (id, held) -> held == null || !held.until().isAfter(now) ? mine : held);
        return present == mine ? Optional.of(lease) : Optional.empty();
    }

    @Override
    public boolean renew(Lease lease, Instant until) {
        Held present = leases.computeIfPresent(
                lease.threadId(),
                (id, held) -> held.lease().equals(lease) ? new Held(lease, until, held.cancelRequested()) : held);
        return present != null && present.lease().equals(lease);
    }

    @Override
    public void release(Lease lease) {
        leases.computeIfPresent(lease.threadId(), (id, held) -> held.lease().equals(lease) ? null : held);
    }

    @Override
    public boolean requestCancel(String threadId, Instant now) {
        Held present = leases.computeIfPresent(
                threadId, (id, held) -> held.until().isAfter(now) ? new Held(held.lease(), held.until(), true) : held);
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
        return thread(threadId).map(InMemoryThread::read);
    }

    @Override
    public List<Message> transcript(String threadId) {
        return thread(threadId).map(InMemoryThread::transcript).orElse(List.of());
    }

    @Override
    public int countMessages(String threadId) {
        return thread(threadId).map(InMemoryThread::countMessages).orElse(0);
    }

    @Override
    public Set<String> known(String threadId, Collection<String> messageIds) {
        return thread(threadId).map(thread -> thread.known(messageIds)).orElse(Set.of());
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
                InMemoryThread thread = known == null ? new InMemoryThread(id, lease.caller()) : known;
                thread.write(commit, now);
                return thread;
            });
            audit.add(commit.audit());
            return held;
        });
    }

    @Override
    public List<Abandoned> abandoned(Abandoned after, Instant before, int limit) {
        Comparator<Abandoned> order = Comparator.comparing(Abandoned::since).thenComparing(Abandoned::threadId);
        return threads.values().stream()
                .flatMap(thread -> thread.unfinishedSince().map(since -> new Abandoned(thread.id(), since)).stream())
                .filter(each -> each.since().isBefore(before) && order.compare(each, after) > 0)
                .sorted(order)
                .limit(limit)
                .toList();
    }

    @Override
    public List<OpenBatch> open(Optional<String> owner, OpenBatch.Position after, int limit) {
        Comparator<OpenBatch.Position> order =
                Comparator.comparing(OpenBatch.Position::askedAt).thenComparing(OpenBatch.Position::threadId);
        return threads.values().stream()
                .flatMap(thread -> thread.open().stream())
                .filter(open -> owner.isEmpty() || owner.get().equals(open.owner()))
                .filter(open -> order.compare(open.position(), after) > 0)
                .sorted(Comparator.comparing(OpenBatch::position, order))
                .limit(limit)
                .toList();
    }

    @Override
    public int purge(Instant before, int limit) {
        record Finished(InMemoryThread thread, String batchId, Instant at) {}
        List<Finished> old = threads.values().stream()
                .flatMap(thread -> thread.finishedBefore(before).entrySet().stream()
                        .map(entry -> new Finished(thread, entry.getKey(), entry.getValue())))
                .sorted(Comparator.comparing(Finished::at))
                .limit(limit)
                .toList();
        old.forEach(batch -> batch.thread().purge(batch.batchId()));
        return old.size();
    }

    @Override
    public List<Abandoned> idle(Abandoned after, Instant before, int limit) {
        Comparator<Abandoned> order = Comparator.comparing(Abandoned::since).thenComparing(Abandoned::threadId);
        return threads.values().stream()
                .flatMap(thread -> thread.idleSince().map(since -> new Abandoned(thread.id(), since)).stream())
                .filter(each -> each.since().isBefore(before) && order.compare(each, after) > 0)
                .sorted(order)
                .limit(limit)
                .toList();
    }

    @Override
    public void purgeThread(Lease lease) {
        leases.compute(lease.threadId(), (threadId, held) -> {
            if (held == null || !held.lease().equals(lease)) {
                throw new LeaseLostException(lease + " was lost; the thread's lease is " + held);
            }
            thread(threadId).ifPresent(InMemoryThread::purge);
            return held;
        });
    }

    @Override
    public int purgeAudit(Instant before, int limit) {
        return audit.purge(before, limit);
    }

    @Override
    public List<Grant> grants(String threadId) {
        return thread(threadId).map(InMemoryThread::grants).orElse(List.of());
    }

    @Override
    public boolean revokeGrant(String threadId, String grantId, AuditEvent event) {
        boolean revoked =
                thread(threadId).filter(thread -> thread.revoke(grantId)).isPresent();
        if (revoked) {
            audit.add(List.of(event));
        }
        return revoked;
    }

    @Override
    public int purgeGrants(Instant before, int limit) {
        record Expired(InMemoryThread thread, Grant grant) {}
        List<Expired> old = threads.values().stream()
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
        return audit.addNew(events);
    }

    @Override
    public List<AuditEvent> auditTrail(String threadId, long offset, int limit) {
        return audit.read(threadId, offset, limit);
    }

    private Optional<InMemoryThread> thread(String threadId) {
        return Optional.ofNullable(threads.get(threadId));
    }
}
