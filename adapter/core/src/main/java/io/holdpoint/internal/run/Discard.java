package io.holdpoint.internal.run;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.langchain4j.memory.ChatMemory;
import io.holdpoint.Discarded;
import io.holdpoint.agui.AguiCodec;
import io.holdpoint.internal.agent.AgentConfig;
import io.holdpoint.store.AuditEvent;
import io.holdpoint.store.AuditEvent.Kind;
import io.holdpoint.store.Store;
import io.holdpoint.store.Store.Lease;
import io.holdpoint.store.Store.ThreadHead;
import java.time.Instant;
import java.util.ArrayList;
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

    /** With the lease of the thread. */
    Discard(AgentConfig<?> config, Lease lease) {
        this.config = config;
        this.lease = lease;
    }

    Discarded of(ThreadHead head) {
        Map<String, Discarded.Call> calls = head.batchId().isPresent() ? callsWithoutResult() : Map.of();
        boolean memory = clearUnreadableMemory();
        Discarded discarded = new Discarded(head.threadId(), head.batchId(), List.copyOf(calls.values()), memory);
        List<AuditEvent> events = events(discarded);
        config.store.discard(lease, Store.Part.UNFINISHED, events);
        events.forEach(config.observers::stored);
        LOG.warn("{}", discarded.describe());
        return discarded;
    }

    private Map<String, Discarded.Call> callsWithoutResult() {
        Map<String, Discarded.Call> calls = new LinkedHashMap<>();
        for (long offset = 0; ; offset += PAGE) {
            List<AuditEvent> page = config.store.auditTrail(lease.threadId(), offset, PAGE);
            page.forEach(event -> follow(event, calls));
            if (page.isEmpty()) {
                return calls;
            }
        }
    }

    private static void follow(AuditEvent event, Map<String, Discarded.Call> calls) {
        String id = event.toolCallId().orElse("");
        switch (event.kind()) {
            case PROPOSED ->
                calls.put(id, new Discarded.Call(id, event.toolName().orElse(""), false));
            case CLAIMED ->
                calls.put(id, new Discarded.Call(id, event.toolName().orElse(""), true));
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
                    EXPIRED,
                    CUT,
                    REPLAYED,
                    LEASE_LOST -> {
                // says nothing about its end
            }
        }
    }

    private boolean clearUnreadableMemory() {
        ChatMemory memory = config.memories.of(lease.threadId());
        try {
            memory.messages();
            return false;
        } catch (RuntimeException unreadable) {
            LOG.warn("The chat memory of thread {} cannot be read and is cleared", lease.threadId(), unreadable);
            memory.clear();
            return true;
        }
    }

    private List<AuditEvent> events(Discarded discarded) {
        Instant now = config.clock.instant();
        List<AuditEvent> events = new ArrayList<>();
        for (Discarded.Call call : discarded.calls()) {
            events.add(event(
                    now,
                    discarded,
                    new AuditEvent.Subject(
                            Optional.of(call.toolCallId()), Optional.of(call.toolName()), Optional.empty()),
                    call.mayHaveRun()));
        }
        if (events.isEmpty()) {
            events.add(event(
                    now,
                    discarded,
                    new AuditEvent.Subject(Optional.empty(), Optional.empty(), Optional.empty()),
                    false));
        }
        return events;
    }

    private AuditEvent event(Instant now, Discarded discarded, AuditEvent.Subject about, boolean mayHaveRun) {
        ObjectNode detail = AguiCodec.mapper().createObjectNode();
        discarded.batchId().ifPresent(id -> detail.put("batch", id));
        detail.put("mayHaveRun", mayHaveRun);
        return new AuditEvent(now, lease.threadId(), lease.runId(), lease.caller(), Kind.DISCARDED, about, detail);
    }
}
