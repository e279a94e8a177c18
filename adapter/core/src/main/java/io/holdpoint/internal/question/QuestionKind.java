package io.holdpoint.internal.question;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.holdpoint.internal.gate.MethodArguments;
import io.holdpoint.store.Call;
import io.holdpoint.store.Call.Answer;
import io.holdpoint.store.Call.Question;
import java.util.List;
import java.util.Optional;

/** A kind of question. Implementations are immutable. */
public sealed interface QuestionKind
        permits ToolApproval, OutcomeUnknown, SuppliedResult, Restart, ToolError, UnsupportedKind {

    /** Checks a value against a JSON schema. */
    @FunctionalInterface
    interface SchemaCheck {

        /**
         * Checks.
         *
         * @param schema the schema
         * @param value the value
         * @return what is wrong, each with the JSON path of the field; empty if nothing is
         */
        List<String> violations(ObjectNode schema, JsonNode value);
    }

    /**
     * The kind of a question.
     *
     * @param question any
     * @return one that takes no answer if this version does not know it
     */
    static QuestionKind of(Question question) {
        return switch (question.kind()) {
            case APPROVAL -> ToolApproval.KIND;
            case OUTCOME_UNKNOWN -> OutcomeUnknown.KIND;
            case RESULT, RESPONSE -> SuppliedResult.KIND;
            case RESTART -> Restart.KIND;
            case TOOL_ERROR -> ToolError.KIND;
            case UNKNOWN -> UnsupportedKind.KIND;
        };
    }

    /**
     * What is wrong with an answer that decides.
     *
     * @param question what was asked
     * @param payload the answer; empty if there is none
     * @param check for the schema of the question
     * @return what is wrong, each with the JSON path within the payload; empty if nothing is
     */
    List<String> violations(Question question, Optional<JsonNode> payload, SchemaCheck check);

    /**
     * What the tool would run with, if it ran.
     *
     * @param question what was asked
     * @param payload an answer without violations
     * @return the complete arguments, a copy; empty if the tool would not run
     */
    Optional<ObjectNode> wouldRun(Question question, JsonNode payload);

    /**
     * What an answer means.
     *
     * @param call the call that the question is about
     * @param question what was asked
     * @param answer the answer, checked before
     * @param tool how the call's tool takes its arguments
     * @return what is to be done with the call
     */
    Decision decide(Call call, Question question, Answer answer, MethodArguments tool);
}
