package io.holdpoint.internal.journal;

import io.holdpoint.hook.RunObserver;
import io.holdpoint.hook.RunObserver.Decision;
import io.holdpoint.internal.question.QuestionKind;
import io.holdpoint.store.Answer;
import io.holdpoint.store.AuditEvent;
import io.holdpoint.store.Call;
import io.holdpoint.store.Commit;
import io.holdpoint.store.Question;
import java.time.Duration;
import java.util.Optional;

/** Tells an observer what a commit, once it is stored, means for questions. */
final class QuestionWatch {

    /** Clients name their tools as they like, so that there is no end to the names. */
    private static final String CLIENT = "client";

    private QuestionWatch() {}

    static void tell(RunObserver observer, Commit audited) {
        for (AuditEvent event : audited.audit()) {
            switch (event.kind()) {
                case HELD -> call(audited, event).ifPresent(call -> observer.asked(tool(call)));
                case DECIDED, EXPIRED ->
                    call(audited, event)
                            .ifPresent(call ->
                                    answered(observer, call, event.interruptId().orElseThrow()));
                case PROPOSED,
                        PRESENTED,
                        GRANTED,
                        ALLOWED,
                        REVOKED,
                        CLAIMED,
                        EXECUTED,
                        FAILED,
                        NOT_EXECUTED,
                        REPLAYED,
                        LEASE_LOST -> {}
            }
        }
    }

    private static Optional<Call> call(Commit audited, AuditEvent event) {
        return audited.batches().stream()
                .flatMap(batch -> batch.calls().stream())
                .filter(call ->
                        event.toolCallId().filter(call.toolCallId()::equals).isPresent())
                .findFirst();
    }

    private static String tool(Call call) {
        return call.ofClient() ? CLIENT : call.toolName();
    }

    private static void answered(RunObserver observer, Call call, String interruptId) {
        for (int i = 0; i < call.answers().size(); i++) {
            Question question = call.questions().get(i);
            if (question.interrupt().id().equals(interruptId)) {
                Answer answer = call.answers().get(i);
                Duration waited = Duration.between(question.askedAt(), answer.answeredAt());
                observer.decided(tool(call), decision(question, answer), waited.isNegative() ? Duration.ZERO : waited);
            }
        }
    }

    private static Decision decision(Question question, Answer answer) {
        return switch (answer.how()) {
            case RESOLVED -> question.kind() == Question.Kind.APPROVAL ? approval(question, answer) : Decision.ANSWERED;
            case CANCELLED -> Decision.CANCELLED;
            case STEERED_AWAY -> Decision.STEERED_AWAY;
            case EXPIRED -> Decision.EXPIRED;
        };
    }

    private static Decision approval(Question question, Answer answer) {
        var payload = answer.entry().payload();
        if (payload != null && payload.has("response")) {
            return Decision.ANSWERED;
        }
        return payload != null
                        && QuestionKind.of(question).wouldRun(question, payload).isPresent()
                ? Decision.APPROVED
                : Decision.DENIED;
    }
}
