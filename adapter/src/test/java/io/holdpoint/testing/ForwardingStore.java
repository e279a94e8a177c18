package io.holdpoint.testing;

import io.holdpoint.agui.Message;
import io.holdpoint.store.Abandoned;
import io.holdpoint.store.AuditEvent;
import io.holdpoint.store.Commit;
import io.holdpoint.store.Grant;
import io.holdpoint.store.Hold;
import io.holdpoint.store.Lease;
import io.holdpoint.store.OpenHold;
import io.holdpoint.store.Store;
import io.holdpoint.store.ThreadRecord;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Passes everything on to another store; for stores of tests that change one thing. */
public abstract class ForwardingStore implements Store {

    /** The store that keeps. */
    protected abstract Store store();

    @Override
    public Optional<Lease> acquire(String threadId, String runId, String caller, Instant now, Instant until) {
        return store().acquire(threadId, runId, caller, now, until);
    }

    @Override
    public boolean renew(Lease lease, Instant until) {
        return store().renew(lease, until);
    }

    @Override
    public void release(Lease lease) {
        store().release(lease);
    }

    @Override
    public boolean requestCancel(String threadId, Instant now) {
        return store().requestCancel(threadId, now);
    }

    @Override
    public boolean isCancelRequested(Lease lease) {
        return store().isCancelRequested(lease);
    }

    @Override
    public Optional<Lease> active(String threadId, Instant now) {
        return store().active(threadId, now);
    }

    @Override
    public Optional<ThreadRecord> find(String threadId) {
        return store().find(threadId);
    }

    @Override
    public List<Message> transcript(String threadId) {
        return store().transcript(threadId);
    }

    @Override
    public int countMessages(String threadId) {
        return store().countMessages(threadId);
    }

    @Override
    public Set<String> known(String threadId, Collection<String> messageIds) {
        return store().known(threadId, messageIds);
    }

    @Override
    public boolean hasToolCall(String threadId, String toolCallId) {
        return store().hasToolCall(threadId, toolCallId);
    }

    @Override
    public Optional<Hold> findByInterrupt(String threadId, String interruptId) {
        return store().findByInterrupt(threadId, interruptId);
    }

    @Override
    public boolean hasInterrupt(String threadId, String interruptId) {
        return store().hasInterrupt(threadId, interruptId);
    }

    @Override
    public int countInterrupts(String threadId, int limit) {
        return store().countInterrupts(threadId, limit);
    }

    @Override
    public void commit(Lease lease, Commit commit, Instant now) {
        store().commit(lease, commit, now);
    }

    @Override
    public List<Abandoned> abandoned(Abandoned after, Instant before, int limit) {
        return store().abandoned(after, before, limit);
    }

    @Override
    public List<OpenHold> open(Optional<String> owner, OpenHold.Position after, int limit) {
        return store().open(owner, after, limit);
    }

    @Override
    public int purge(Instant before, int limit) {
        return store().purge(before, limit);
    }

    @Override
    public List<Grant> grants(String threadId) {
        return store().grants(threadId);
    }

    @Override
    public boolean revokeGrant(String threadId, String grantId, AuditEvent event) {
        return store().revokeGrant(threadId, grantId, event);
    }

    @Override
    public int purgeGrants(Instant before, int limit) {
        return store().purgeGrants(before, limit);
    }

    @Override
    public List<AuditEvent> audit(List<AuditEvent> events) {
        return store().audit(events);
    }

    @Override
    public List<AuditEvent> auditTrail(String threadId, long offset, int limit) {
        return store().auditTrail(threadId, offset, limit);
    }
}
