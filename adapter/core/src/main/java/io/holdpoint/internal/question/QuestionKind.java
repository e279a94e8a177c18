package io.holdpoint.internal.question;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.holdpoint.PendingInterrupt;
import io.holdpoint.hook.RunObserver.Decision;
import io.holdpoint.internal.gate.ApprovalForm;
import io.holdpoint.internal.gate.Gate;
import io.holdpoint.internal.gate.MethodArguments;
import io.holdpoint.internal.gate.ModelTexts;
import io.holdpoint.internal.gate.ToolArguments;
import io.holdpoint.internal.gate.Voices;
import io.holdpoint.store.Call;
import io.holdpoint.store.Call.Answer;
import io.holdpoint.store.Call.Question;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** A kind of question. Implementations are immutable. */
public sealed interface QuestionKind
        permits ToolApproval, OutcomeUnknown, SuppliedResult, Restart, ToolError, QuestionKind.Unsupported {

    /** The characters that a person reads in a second. */
    int CHARACTERS_A_SECOND = 25;

    @FunctionalInterface
    interface SchemaCheck {

        /** Returns the violations, each with the JSON path of the field. */
        List<String> violations(ObjectNode schema, JsonNode value);
    }

    /** The kind of a question; {@link Unsupported} for one that another version stored. */
    static QuestionKind of(Question question) {
        return switch (question.kind()) {
            case APPROVAL, APPROVALS -> ToolApproval.KIND;
            case OUTCOME_UNKNOWN -> OutcomeUnknown.KIND;
            case RESULT, RESPONSE -> SuppliedResult.KIND;
            case RESTART -> Restart.KIND;
            case TOOL_ERROR -> ToolError.KIND;
            case UNKNOWN -> Unsupported.KIND;
        };
    }

    /** Checks an answer that decides; returns the violations, each with the JSON path within the payload. */
    List<String> violations(Question question, Optional<JsonNode> payload, SchemaCheck check);

    /** The complete arguments that the tool would run with after a valid answer, a copy; empty if the tool would not run. */
    Optional<ObjectNode> wouldRun(Question question, JsonNode payload);

    /** Checks whether an answer declines: nothing runs by it, and nobody gets a result. It never comes too late. */
    default boolean declines(Question question, JsonNode payload) {
        return false;
    }

    /** Reads an answer that was checked before. */
    NextStep decide(Call call, Question question, Answer answer, MethodArguments tool);

    /** Checks whether an answer lets a call run with other arguments than those shown. */
    static boolean isEdited(Question question, JsonNode payload) {
        return ApprovalForm.sentEdits(payload).isPresent()
                && of(question)
                        .wouldRun(question, payload)
                        .filter(arguments -> !ToolArguments.write(arguments)
                                .equals(ToolArguments.write(ToolArguments.canonical(Payloads.shown(question)))))
                        .isPresent();
    }

    /** The length of what a person has to read before deciding: the sentence, the arguments, the reasons and plans of rules. */
    static int characters(Question question) {
        JsonNode shown = Gate.metadata(question);
        String sentence = question.interrupt().message();
        int length = (sentence == null ? 0 : sentence.length()) + length(shown.path("args"));
        for (JsonNode section : shown) {
            length += length(section.path("reason")) + length(section.path("plan"));
        }
        return length;
    }

    private static int length(JsonNode part) {
        return part.isTextual()
                ? part.textValue().length()
                : part.isMissingNode() ? 0 : part.toString().length();
    }

    /** Checks whether a decision came faster than a text of that length can be read. */
    static boolean isTooShortToRead(int characters, Duration waited) {
        return waited.toMillis() * CHARACTERS_A_SECOND < characters * 1_000L;
    }

    /** The end of a question of a call, in one word. An approval that became another question has allowed nothing. */
    static Decision decision(Call call, Question question, Answer answer) {
        return switch (answer.how()) {
            case RESOLVED -> isFollowed(call, question) ? Decision.ANSWERED : resolved(question, answer);
            case CANCELLED -> Decision.CANCELLED;
            case STEERED_AWAY -> Decision.STEERED_AWAY;
            case EXPIRED, UNANSWERED -> Decision.EXPIRED;
            case UNKNOWN -> Decision.ANSWERED;
        };
    }

    private static boolean isFollowed(Call call, Question question) {
        List<Question> all = call.questions();
        int next = all.indexOf(question) + 1;
        return next < all.size() && Payloads.isOfEdit(all.get(next));
    }

    private static Decision resolved(Question question, Answer answer) {
        JsonNode payload = answer.payload();
        boolean isApproval = question.isForApproval()
                || Voices.isDelegated(question)
                        && question.interrupt().reason().equals(PendingInterrupt.Approval.REASON);
        if (isApproval && ApprovalForm.approves(payload)) {
            return Decision.APPROVED;
        }
        boolean isResponse = ApprovalForm.of(question).response(payload).isPresent();
        boolean declines = payload != null && of(question).declines(question, payload);
        return declines || isApproval && !isResponse ? Decision.DENIED : Decision.ANSWERED;
    }

    /** A question that another version stored. It can only be cancelled. */
    record Unsupported() implements QuestionKind {

        static final Unsupported KIND = new Unsupported();

        @Override
        public List<String> violations(Question question, Optional<JsonNode> payload, SchemaCheck check) {
            return List.of(": this version cannot take an answer to an interrupt of the reason \""
                    + question.interrupt().reason() + "\"; cancel it");
        }

        @Override
        public Optional<ObjectNode> wouldRun(Question question, JsonNode payload) {
            return Optional.empty();
        }

        @Override
        public NextStep decide(Call call, Question question, Answer answer, MethodArguments tool) {
            return call.attempts().isEmpty()
                    ? NextStep.notExecuted(ModelTexts.cancelled(call.toolName(), false))
                    : NextStep.unknownOutcome(call);
        }
    }
}
