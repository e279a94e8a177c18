package io.holdpoint.internal.question;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.holdpoint.internal.gate.MethodArguments;
import io.holdpoint.internal.gate.ModelTexts;
import io.holdpoint.store.Call;
import io.holdpoint.store.Call.Answer;
import io.holdpoint.store.Call.Question;
import java.util.List;
import java.util.Optional;

/** A question that another version stored. It can only be let go of. */
record UnsupportedKind() implements QuestionKind {

    static final UnsupportedKind KIND = new UnsupportedKind();

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
                ? new NextStep.Settle(Call.State.NOT_EXECUTED, ModelTexts.cancelled(call.toolName()))
                : new NextStep.Settle(Call.State.FAILED, ModelTexts.unknownOutcome(call.toolName()));
    }
}
