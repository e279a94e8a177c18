package io.holdpoint.internal.run;

import io.holdpoint.Caller;
import io.holdpoint.PendingInterrupt;
import io.holdpoint.agui.Agui;
import io.holdpoint.internal.agent.AgentConfig;
import io.holdpoint.internal.input.Access;
import io.holdpoint.internal.journal.Audit;
import io.holdpoint.store.AuditEvent;
import io.holdpoint.store.Grant;
import io.holdpoint.store.Store.ThreadRecord;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Reads of a thread what its callers may see without a run, and revokes grants. A thread that a caller may not access is
 * treated like one that does not exist. Thread-safe.
 */
public final class VisibleThreads {

    private final AgentConfig<?> config;
    private final Access access;

    VisibleThreads(AgentConfig<?> config) {
        this.config = config;
        this.access = new Access(config);
    }

    Optional<ThreadRecord> find(Caller caller, String threadId) {
        Optional<ThreadRecord> thread = Agui.isId(threadId) ? config.store.find(threadId) : Optional.empty();
        return thread.isPresent() && access.allows(caller, thread.get()) ? thread : Optional.empty();
    }

    public List<PendingInterrupt> pending(Caller caller, String threadId) {
        Optional<ThreadRecord> thread = find(caller, threadId);
        return thread.isEmpty()
                ? List.of()
                : ThreadView.pending(access.shown(
                        caller, threadId, thread.get().owner(), thread.get().batch()));
    }

    public List<AuditEvent> auditTrail(Caller caller, String threadId, long offset, int limit) {
        return find(caller, threadId).isPresent() ? config.store.auditTrail(threadId, offset, limit) : List.of();
    }

    public List<Grant> grants(Caller caller, String threadId) {
        Optional<ThreadRecord> thread = find(caller, threadId);
        if (thread.isEmpty()) {
            return List.of();
        }
        return agents(config)
                .flatMap(agent -> Grant.of(agent.store, threadId, thread.get().owner()).stream()
                        .filter(grant -> agent == config || Grant.isOfOwner(grant.id())))
                .filter(grant -> !grant.isExpired(config.clock.instant()))
                .distinct()
                .toList();
    }

    /** The agent, and those that work for it as tools: what counts on all threads of an owner counts in their tasks as well. */
    private static Stream<AgentConfig<?>> agents(AgentConfig<?> agent) {
        return Stream.concat(Stream.of(agent), agent.inner().stream().flatMap(inner -> agents(inner.config())));
    }

    public boolean revoke(Caller caller, String threadId, String grantId) {
        return grants(caller, threadId).stream()
                .filter(grant -> grant.id().equals(grantId))
                .anyMatch(grant -> revoke(caller, grant, threadId));
    }

    private boolean revoke(Caller caller, Grant grant, String threadId) {
        AuditEvent event = new AuditEvent(
                config.clock.instant(),
                threadId,
                "",
                caller.id(),
                AuditEvent.Kind.REVOKED,
                grant.subject(),
                Audit.grant(grant.id()));
        Optional<AgentConfig<?>> remembering = agents(config)
                .filter(agent -> !agent.store
                        .audit(Optional.of(Grant.key(threadId, grant.id())), List.of(event))
                        .isEmpty())
                .findFirst();
        boolean revoked = remembering.isPresent();
        if (revoked) {
            if (remembering.get() != config) {
                config.store.audit(Optional.empty(), List.of(event));
            }
            config.observers.stored(event);
        }
        return revoked;
    }
}
