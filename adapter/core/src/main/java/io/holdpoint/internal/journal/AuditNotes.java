package io.holdpoint.internal.journal;

import io.holdpoint.PendingInterrupt;
import io.holdpoint.agui.Agui;
import io.holdpoint.agui.ResumeEntry;
import io.holdpoint.hook.AuditListener;
import io.holdpoint.store.AuditEvent;
import io.holdpoint.store.AuditEvent.Kind;
import io.holdpoint.store.Batch;
import io.holdpoint.store.Call;
import io.holdpoint.store.Call.Question;
import io.holdpoint.store.Store;
import io.holdpoint.store.Store.Lease;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Audit events that change nothing of the thread, so that they need no right to write: interrupts presented, answers
 * replayed, writes lost. Thread-safe.
 */
public final class AuditNotes {

    private static final Logger LOG = LoggerFactory.getLogger(AuditNotes.class);

    private final Store store;
    private final Lease lease;
    private final Clock clock;
    private final AuditListener listener;

    public AuditNotes(Store store, Lease lease, Clock clock, AuditListener listener) {
        this.store = store;
        this.lease = lease;
        this.clock = clock;
        this.listener = listener;
    }

    /** Notes interrupts that a client is given again. */
    public void presented(List<Question> open) {
        Instant now = clock.instant();
        List<AuditEvent> events = new ArrayList<>();
        for (Question question : open) {
            String toolName = PendingInterrupt.of(question.interrupt()).toolName();
            events.add(AuditEvents.event(
                    lease,
                    now,
                    Kind.PRESENTED,
                    new AuditEvent.Subject(
                            Optional.ofNullable(question.interrupt().toolCallId()),
                            toolName.isEmpty() ? Optional.empty() : Optional.of(toolName),
                            Optional.of(question.interrupt().id())),
                    AuditEvents.object()));
        }
        note(events);
    }

    /**
     * Notes accepted answers that were given before: those that answer none of the questions that were open before the
     * input.
     */
    public void replayed(List<ResumeEntry> accepted, List<Question> open) {
        Instant now = clock.instant();
        Set<String> known = new HashSet<>();
        open.forEach(question -> known.add(question.interrupt().id()));
        List<AuditEvent> events = new ArrayList<>();
        for (ResumeEntry entry : accepted) {
            if (known.add(entry.interruptId()) && Agui.isId(entry.interruptId())) {
                Optional<Batch> batch = store.findByInterrupt(lease.threadId(), entry.interruptId());
                if (batch.isEmpty() && !store.hasInterrupt(lease.threadId(), entry.interruptId())) {
                    continue; // a stale card that the client has cancelled
                }
                Optional<Call> call = batch.flatMap(present -> answered(present, entry.interruptId()));
                events.add(AuditEvents.event(
                        lease,
                        now,
                        Kind.REPLAYED,
                        new AuditEvent.Subject(
                                call.map(Call::toolCallId), call.map(Call::toolName), Optional.of(entry.interruptId())),
                        AuditEvents.object()));
            }
        }
        note(events);
    }

    private static Optional<Call> answered(Batch batch, String interruptId) {
        return batch.calls().stream()
                .filter(call -> call.answerTo(interruptId).isPresent())
                .findFirst();
    }

    /** Notes a commit that came too late: another run has the thread. */
    void lost(List<AuditEvent> dropped) {
        note(List.of(AuditEvents.event(
                lease,
                clock.instant(),
                Kind.LEASE_LOST,
                new AuditEvent.Subject(Optional.empty(), Optional.empty(), Optional.empty()),
                AuditEvents.lost(dropped))));
    }

    private void note(List<AuditEvent> events) {
        if (!events.isEmpty()) {
            tell(store.audit(events));
        }
    }

    void tell(List<AuditEvent> stored) {
        for (AuditEvent event : stored) {
            tell(listener, event);
        }
    }

    /** Tells a listener of an event that is stored. The failure of a listener is only logged. */
    public static void tell(AuditListener listener, AuditEvent event) {
        try {
            listener.happened(event);
        } catch (Throwable e) { // not every language checks exceptions
            LOG.warn("The audit listener failed on {} of {}", event.kind(), event.toolCallId(), e);
        }
    }
}
