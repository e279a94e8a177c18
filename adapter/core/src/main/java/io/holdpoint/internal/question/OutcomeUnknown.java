package io.holdpoint.internal.question;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.holdpoint.PendingInterrupt;
import io.holdpoint.agui.AguiCodec;
import io.holdpoint.agui.Interrupt;
import io.holdpoint.internal.Ids;
import io.holdpoint.internal.gate.ApprovalForm;
import io.holdpoint.internal.gate.MethodArguments;
import io.holdpoint.internal.gate.ModelTexts;
import io.holdpoint.store.Batch;
import io.holdpoint.store.Call;
import io.holdpoint.store.Call.Answer;
import io.holdpoint.store.Call.Question;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The server stopped while this call was running, or its time was over: shall it run again, or what came of it? The answer is
 * {@code {"action": "retry" | "done" | "not_done", "note"?: "..."}}. Does not expire: only a person can find out.
 */
public record OutcomeUnknown() implements QuestionKind {

    static final OutcomeUnknown KIND = new OutcomeUnknown();

    private static final ObjectNode SCHEMA = Payloads.actionSchema(
                    "retry: run it again with the same arguments. done: it took effect, do not run it again."
                            + " not_done: it had no effect, do not run it again.",
                    Optional.empty(),
                    "What the model should know of it, such as the result. Passed on as said by a person.",
                    "retry",
                    "done",
                    "not_done")
            .put(
                    "description",
                    "The outcome of a tool call is unknown. Find out whether it took effect before you answer.");

    /** Asks about every call of a batch that a run started and did not finish, except idempotent ones; empty if there is none. */
    public static Optional<Batch> askAbout(Batch batch, Instant now) {
        return askAbout(batch, now, call -> call.proposal().idempotent());
    }

    /**
     * Asks about every call of a batch that a run started and did not finish, except those that may run again without
     * asking; empty if there is none. No other run may be active on the batch.
     */
    public static Optional<Batch> askAbout(Batch batch, Instant now, Predicate<Call> mayRunAgain) {
        Map<String, Question> questions = new LinkedHashMap<>();
        for (Call call : batch.calls()) {
            if (call.state() == Call.State.CLAIMED && !mayRunAgain.test(call)) {
                questions.put(call.toolCallId(), ask(call, ModelTexts.unknownOutcomeQuestion(call.toolName()), now));
            }
        }
        return questions.isEmpty() ? Optional.empty() : Optional.of(batch.askedAgain(questions));
    }

    /** Asks about a claimed call that nobody waits for. The question shows the last attempt. */
    public static Question ask(Call call, String message, Instant now) {
        String arguments = NextStep.again(call).arguments();
        ObjectNode metadata = AguiCodec.mapper().createObjectNode();
        ObjectNode langchain4j = Payloads.describe(metadata, call, arguments);
        langchain4j.put("attempts", call.attempts().size());
        langchain4j.put("idempotencyKey", call.idempotencyKey());
        Interrupt interrupt = new Interrupt(
                Ids.interrupt(),
                PendingInterrupt.UnknownOutcome.REASON,
                message,
                call.toolCallId(),
                SCHEMA,
                null,
                metadata);
        return new Question(Question.Kind.OUTCOME_UNKNOWN, interrupt, now);
    }

    @Override
    public List<String> violations(Question question, Optional<JsonNode> payload, SchemaCheck check) {
        ObjectNode schema = Objects.requireNonNullElse(question.interrupt().responseSchema(), SCHEMA);
        if (!(payload.orElse(null) instanceof ObjectNode answer)) {
            return List.of(": must be a JSON object such as {\"action\": \"done\"}");
        }
        List<String> undeclared = ApprovalForm.undeclared(schema, answer);
        return undeclared.isEmpty() ? check.violations(schema, Payloads.withoutNulls(answer, schema)) : undeclared;
    }

    @Override
    public Optional<ObjectNode> wouldRun(Question question, JsonNode payload) {
        return Payloads.text(payload, "action").filter("retry"::equals).map(retry -> Payloads.shown(question));
    }

    @Override
    public NextStep decide(Call call, Question question, Answer answer, MethodArguments tool) {
        return switch (answer.how()) {
            case CANCELLED, STEERED_AWAY, EXPIRED, UNANSWERED, UNKNOWN -> NextStep.unknownOutcome(call);
            case RESOLVED -> resolved(call, question, answer.payload());
        };
    }

    private static NextStep resolved(Call call, Question question, @Nullable JsonNode payload) {
        String note = Payloads.text(payload, "note").orElse(null);
        return switch (Payloads.text(payload, "action").orElse("")) {
            case "retry" -> NextStep.againAsShown(call, question);
            case "done" -> new NextStep.Settle(Call.State.EXECUTED, ModelTexts.confirmedDone(call.toolName(), note));
            case "not_done" -> NextStep.notExecuted(ModelTexts.confirmedNotDone(call.toolName(), note));
            default -> NextStep.unknownOutcome(call);
        };
    }
}
