package io.holdpoint.internal.journal;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.holdpoint.store.Answer;
import io.holdpoint.store.Call;
import io.holdpoint.store.AuditEvent;
import io.holdpoint.store.AuditEvent.Kind;
import io.holdpoint.store.Batch;
import io.holdpoint.store.Grant;
import io.holdpoint.store.Lease;
import io.holdpoint.store.Question;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Finds what happened to the calls of a batch by comparing it with what it was before. Thread-safe. */
final class AuditEvents {

    private final Lease lease;
    private final AuditDetails details;

    AuditEvents(Lease lease, AuditDetails details) {
        this.lease = lease;
        this.details = details;
    }

    /** Every transition of every call, in model order. */
    List<AuditEvent> between(Optional<Batch> before, Batch after, Instant now) {
        List<AuditEvent> events = new ArrayList<>();
        for (int i = 0; i < after.calls().size(); i++) {
            Call call = after.calls().get(i);
            if (before.isPresent()) {
                changed(before.get().calls().get(i), call, now, events);
            } else {
                proposed(call, now, events);
            }
        }
        return events;
    }

    private void proposed(Call call, Instant now, List<AuditEvent> events) {
        events.add(event(now, Kind.PROPOSED, call, Optional.empty(), details.proposed(call)));
        asked(call, 0, now, events);
        Optional.ofNullable(call.grantId())
                .ifPresent(grant ->
                        events.add(event(now, Kind.ALLOWED, call, Optional.empty(), AuditDetails.grant(grant))));
        if (call.state().isSettled()) {
            events.add(settled(call, details.settled(call, Call.State.PENDING), now));
        }
    }

    private void changed(Call before, Call call, Instant now, List<AuditEvent> events) {
        if (before == call) {
            return;
        }
        for (int i = 0; i < before.asked().size(); i++) {
            Call.Asked asked = call.asked().get(i);
            if (asked.answer().isPresent() && before.asked().get(i).answer().isEmpty()) {
                events.add(answered(call, asked.question(), asked.answer().get(), now));
            }
        }
        for (int i = before.attempts().size(); i < call.attempts().size(); i++) {
            Call.Attempt attempt = call.attempts().get(i);
            ObjectNode detail = details.claimed(call, attempt, i + 1);
            events.add(event(now, Kind.CLAIMED, call, Optional.empty(), detail));
        }
        asked(call, before.asked().size(), now, events);
        if (call.state().isSettled() && !before.state().isSettled()) {
            events.add(settled(call, details.settled(call, before.state()), now));
        }
    }

    private void asked(Call call, int from, Instant now, List<AuditEvent> events) {
        for (Call.Asked asked : call.asked().subList(from, call.asked().size())) {
            Question question = asked.question();
            events.add(event(now, Kind.HELD, call, Optional.of(question), details.held(question)));
        }
    }

    private AuditEvent answered(Call call, Question question, Answer answer, Instant now) {
        return answer.how() == Answer.How.EXPIRED
                ? event(now, Kind.EXPIRED, call, Optional.of(question), AuditDetails.object())
                : event(now, Kind.DECIDED, call, Optional.of(question), details.decided(call, question, answer));
    }

    private AuditEvent settled(Call call, ObjectNode detail, Instant now) {
        Kind kind =
                switch (call.state()) {
                    case EXECUTED -> Kind.EXECUTED;
                    case FAILED -> Kind.FAILED;
                    case NOT_EXECUTED -> Kind.NOT_EXECUTED;
                    case PENDING, DECIDED, CLAIMED -> throw new IllegalStateException("not settled: " + call);
                };
        return event(now, kind, call, Optional.empty(), detail);
    }

    private AuditEvent event(Instant now, Kind kind, Call call, Optional<Question> question, ObjectNode detail) {
        return event(
                now,
                kind,
                new AuditEvent.Subject(
                        Optional.of(call.toolCallId()),
                        Optional.of(call.toolName()),
                        question.map(asked -> asked.interrupt().id())),
                detail);
    }

    /** What the answer to one call says about others. */
    AuditEvent granted(Grant grant, Instant now) {
        return event(
                now,
                Kind.GRANTED,
                grant.subject(),
                AuditDetails.granted(grant));
    }

    /** Something that was no transition. */
    AuditEvent event(
            Instant now,
            Kind kind,
            AuditEvent.Subject about,
            ObjectNode detail) {
        return new AuditEvent(
                now, lease.threadId(), lease.runId(), lease.caller(), kind, about, detail);
    }
}
