package io.holdpoint.internal.journal;

import io.holdpoint.PendingInterrupt;
import io.holdpoint.agui.ResumeEntry;
import io.holdpoint.hook.AuditListener;
import io.holdpoint.hook.RunObserver;
import io.holdpoint.internal.agent.AgentConfig;
import io.holdpoint.store.AuditEvent;
import io.holdpoint.store.AuditEvent.Kind;
import io.holdpoint.store.Batch;
import io.holdpoint.store.Call;
import io.holdpoint.store.Commit;
import io.holdpoint.store.Lease;
import io.holdpoint.store.LeaseLostException;
import io.holdpoint.store.Question;
import io.holdpoint.store.Store;
import io.holdpoint.store.ThreadRecord;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The way of a run to its store: whatever it writes is written together with what the audit trail says about it, and the
 * listener hears of it afterwards. Thread-safe.
 */
public final class Journal {

    private static final Logger LOG = LoggerFactory.getLogger(Journal.class);

    private final Store store;
    private final Lease lease;
    private final AuditListener listener;
    private final RunObserver observer;
    private final AuditEvents transitions;
    private volatile Optional<Batch> known = Optional.empty();
    private volatile List<Question> openAtStart = List.of();

    public Journal(Store store, Lease lease, AgentConfig<?> config) {
        this.store = store;
        this.lease = lease;
        this.listener = config.auditListener;
        this.observer = config.observers;
        this.transitions = new AuditEvents(lease, new AuditDetails(config.redactor));
    }

    /** The thread's unfinished batch, as the run found it. */
    public void startsFrom(Optional<Batch> unfinished) {
        known = unfinished;
        openAtStart = unfinished.map(Batch::openQuestions).orElse(List.of());
    }

    public void commit(Commit commit, Instant now) {
        List<AuditEvent> events = new ArrayList<>();
        for (Batch batch : commit.batches()) {
            if (batch.version() == 0) {
                events.addAll(transitions.between(Optional.empty(), batch, now));
            } else {
                before(batch).ifPresent(before -> events.addAll(transitions.between(Optional.of(before), batch, now)));
            }
        }
        commit.grants().forEach(grant -> events.add(transitions.granted(grant, now)));
        Commit audited = commit.audit(events);
        write(audited, now);
        if (!commit.batches().isEmpty()) {
            known = Optional.of(commit.batches().get(commit.batches().size() - 1));
        }
        audited.audit().forEach(this::tell);
        QuestionWatch.tell(observer, audited);
    }

    /** If the store has not the version before either, it is not going to take this one. */
    private Optional<Batch> before(Batch batch) {
        Optional<Batch> before = known.filter(last -> precedes(last, batch));
        return before.isPresent()
                ? before
                : store.find(lease.threadId()).flatMap(ThreadRecord::batch).filter(stored -> precedes(stored, batch));
    }

    private static boolean precedes(Batch before, Batch batch) {
        return before.id().equals(batch.id()) && before.version() == batch.version() - 1;
    }

    private void write(Commit commit, Instant now) {
        try {
            store.commit(lease, commit, now);
        } catch (LeaseLostException e) {
            try {
                note(List.of(lost(commit.audit(), now)));
            } catch (RuntimeException unwritten) {
                e.addSuppressed(unwritten);
            }
            throw e;
        }
    }

    private AuditEvent lost(List<AuditEvent> dropped, Instant now) {
        return transitions.event(
                now, Kind.LEASE_LOST, Optional.empty(), Optional.empty(), Optional.empty(), AuditDetails.lost(dropped));
    }

    /** Interrupts are given to a client again. */
    public void presented(List<Question> open, Instant now) {
        note(open.stream()
                .map(question -> transitions.event(
                        now,
                        Kind.PRESENTED,
                        Optional.ofNullable(question.interrupt().toolCallId()),
                        Optional.of(PendingInterrupt.of(question.interrupt()).toolName())
                                .filter(name -> !name.isEmpty()),
                        Optional.of(question.interrupt().id()),
                        AuditDetails.object()))
                .toList());
    }

    /** Accepted answers that answer nothing that was open were given before. */
    public void replayed(List<ResumeEntry> accepted, Instant now) {
        Set<String> open =
                openAtStart.stream().map(question -> question.interrupt().id()).collect(Collectors.toSet());
        note(accepted.stream()
                .map(ResumeEntry::interruptId)
                .filter(interruptId -> !open.contains(interruptId))
                .distinct()
                .map(interruptId -> {
                    Optional<Call> call = store.findByInterrupt(lease.threadId(), interruptId)
                            .flatMap(batch -> asked(batch, interruptId));
                    return transitions.event(
                            now,
                            Kind.REPLAYED,
                            call.map(Call::toolCallId),
                            call.map(Call::toolName),
                            Optional.of(interruptId),
                            AuditDetails.object());
                })
                .toList());
    }

    private static Optional<Call> asked(Batch batch, String interruptId) {
        return batch.calls().stream()
                .filter(call -> call.answerTo(interruptId).isPresent())
                .findFirst();
    }

    /** What changes nothing needs no right to write. */
    private void note(List<AuditEvent> events) {
        if (!events.isEmpty()) {
            store.audit(events).forEach(this::tell);
        }
    }

    private void tell(AuditEvent event) {
        tell(listener, event);
    }

    /** A listener that fails changes nothing. */
    public static void tell(AuditListener listener, AuditEvent event) {
        try {
            listener.happened(event);
        } catch (Throwable e) { // not every language checks exceptions
            LOG.warn("The audit listener failed on {} of {}", event.kind(), event.toolCallId(), e);
        }
    }
}
