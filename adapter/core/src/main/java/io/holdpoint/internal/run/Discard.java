package io.holdpoint.internal.run;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.langchain4j.memory.ChatMemory;
import io.holdpoint.agui.AguiCodec;
import io.holdpoint.internal.agent.AgentConfig;
import io.holdpoint.internal.memory.ChatMessageJson;
import io.holdpoint.internal.turn.Failures;
import io.holdpoint.store.AuditEvent;
import io.holdpoint.store.AuditEvent.Kind;
import io.holdpoint.store.Commit;
import io.holdpoint.store.DamagedException;
import io.holdpoint.store.Store;
import io.holdpoint.store.Store.Lease;
import io.holdpoint.store.Store.ThreadHead;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Removes a thread's unfinished batch and turn without reading them. Which calls are lost is told by the audit trail, which has each transition
 * of a call.
 */
final class Discard {

    private static final Logger LOG = LoggerFactory.getLogger(Discard.class);

    private static final int PAGE = 1_000;

    private final AgentConfig<?> config;
    private final Lease lease;

    /** A tool call without a result; if the tool was entered, it may have run, and its outcome is unknown. */
    private record Lost(String toolCallId, String toolName, boolean mayHaveRun) {

        @Override
        public String toString() {
            return toolCallId + " of " + toolName + (mayHaveRun ? ", which may have run" : ", which has not run");
        }
    }

    /** With the lease of the thread. */
    Discard(AgentConfig<?> config, Lease lease) {
        this.config = config;
        this.lease = lease;
    }

    void of(ThreadHead head) {
        Collection<Lost> calls =
                head.batchId().isPresent() ? callsWithoutResult().values() : List.of();
        List<AuditEvent> events = events(head, calls);
        config.store.commit(lease, Commit.empty().discard(Store.Part.UNFINISHED).audit(events), config.clock.instant());
        events.forEach(config.observers::stored);
        LOG.warn(
                "Of thread {} {} was removed unread: {}",
                head.threadId(),
                head.batchId().map(id -> "the unfinished batch " + id).orElse("the unfinished turn"),
                calls.isEmpty() ? "no call is known of it" : calls);
    }

    private Map<String, Lost> callsWithoutResult() {
        Map<String, Lost> calls = new LinkedHashMap<>();
        for (long offset = 0; ; offset += PAGE) {
            List<AuditEvent> page = config.store.auditTrail(lease.threadId(), offset, PAGE);
            page.forEach(event -> follow(event, calls));
            if (page.isEmpty()) {
                return calls;
            }
        }
    }

    private static void follow(AuditEvent event, Map<String, Lost> calls) {
        String id = event.toolCallId().orElse("");
        switch (event.kind()) {
            case PROPOSED, CLAIMED ->
                calls.put(id, new Lost(id, event.toolName().orElse(""), event.kind() == Kind.CLAIMED));
            case EXECUTED, FAILED, NOT_EXECUTED, DISCARDED -> calls.remove(id);
            case WOULD_ASK,
                    WOULD_DENY,
                    HELD,
                    PRESENTED,
                    VOTED,
                    VOIDED,
                    DECIDED,
                    GRANTED,
                    ALLOWED,
                    REVOKED,
                    REMINDED,
                    WARNED,
                    ESCALATED,
                    EXTENDED,
                    HANDED,
                    EXPIRED,
                    CUT,
                    REPLAYED,
                    LEASE_LOST -> {
                // says nothing about its end
            }
        }
    }

    /** Clears a chat memory whose record is damaged; one that fails in another way may be read again the next time. */
    void clearDamagedMemory() {
        ChatMemory memory = config.memories.of(lease.threadId());
        try {
            memory.messages();
        } catch (RuntimeException unreadable) {
            if (isDamage(unreadable)) {
                LOG.warn("The chat memory of thread {} cannot be read and is cleared", lease.threadId(), unreadable);
                memory.clear();
            }
        }
    }

    /** Whatever else has failed may be over the next time, and has lost nothing. */
    static boolean isDamage(Throwable thrown) {
        for (Throwable cause : Failures.causes(thrown)) {
            if (cause instanceof ChatMessageJson.UnreadableRecordException || cause instanceof DamagedException) {
                return true;
            }
        }
        return false;
    }

    private List<AuditEvent> events(ThreadHead head, Collection<Lost> calls) {
        List<AuditEvent> events = new ArrayList<>();
        for (Lost call : calls) {
            events.add(event(head, Optional.of(call.toolCallId), Optional.of(call.toolName), call.mayHaveRun));
        }
        return events.isEmpty() ? List.of(event(head, Optional.empty(), Optional.empty(), false)) : events;
    }

    private AuditEvent event(ThreadHead head, Optional<String> call, Optional<String> tool, boolean mayHaveRun) {
        ObjectNode detail = AguiCodec.mapper().createObjectNode();
        head.batchId().ifPresent(id -> detail.put("batch", id));
        detail.put("mayHaveRun", mayHaveRun);
        return new AuditEvent(
                config.clock.instant(),
                lease.threadId(),
                lease.runId(),
                lease.caller(),
                Kind.DISCARDED,
                new AuditEvent.Subject(call, tool, Optional.empty()),
                detail);
    }
}
