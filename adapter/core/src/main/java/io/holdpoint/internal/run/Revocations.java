package io.holdpoint.internal.run;

import io.holdpoint.Caller;
import io.holdpoint.internal.agent.AgentConfig;
import io.holdpoint.internal.journal.AuditEvents;
import io.holdpoint.internal.journal.AuditNotes;
import io.holdpoint.store.AuditEvent;
import io.holdpoint.store.Grant;
import io.holdpoint.store.Store;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** The decisions that a thread remembers, to be looked at and taken back. Thread-safe. */
final class Revocations {

    private final AgentConfig<?> settings;

    Revocations(AgentConfig<?> settings) {
        this.settings = settings;
    }

    /** Those that count. */
    List<Grant> grants(String threadId) {
        Instant now = settings.clock.instant();
        return store().grants(threadId).stream()
                .filter(grant -> !grant.isExpired(now))
                .toList();
    }

    /** Takes one back; says whether there was one that counted. */
    boolean revoke(Caller caller, String threadId, String grantId) {
        return grants(threadId).stream()
                .filter(grant -> grant.id().equals(grantId))
                .anyMatch(grant -> revoke(caller, threadId, grant));
    }

    private boolean revoke(Caller caller, String threadId, Grant grant) {
        AuditEvent event = new AuditEvent(
                settings.clock.instant(),
                threadId,
                "",
                caller.id(),
                AuditEvent.Kind.REVOKED,
                grant.subject(),
                AuditEvents.grant(grant.id()));
        boolean revoked = store().revokeGrant(threadId, grant.id(), event);
        if (revoked) {
            AuditNotes.tell(settings.auditListener, event);
        }
        return revoked;
    }

    private Store store() {
        return settings.store;
    }
}
