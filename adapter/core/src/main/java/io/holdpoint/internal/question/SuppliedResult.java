package io.holdpoint.internal.question;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.holdpoint.agui.AguiCodec;
import io.holdpoint.internal.gate.MethodArguments;
import io.holdpoint.internal.gate.ModelTexts;
import io.holdpoint.store.Call;
import io.holdpoint.store.Call.Answer;
import io.holdpoint.store.Call.Question;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A question to which the answer is the call's result, so that no tool runs. Every JSON value may be one, falsy ones too. */
record SuppliedResult() implements QuestionKind {

    static final SuppliedResult KIND = new SuppliedResult();

    @Override
    public List<String> violations(Question question, Optional<JsonNode> payload, SchemaCheck check) {
        return Payloads.violations(question, payload, check);
    }

    @Override
    public Optional<ObjectNode> wouldRun(Question question, JsonNode payload) {
        return Optional.empty();
    }

    @Override
    public boolean declines(Question question, JsonNode payload) {
        return question.kind() == Question.Kind.RESPONSE && Payloads.declines(question, payload);
    }

    @Override
    public NextStep decide(Call call, Question question, Answer answer, MethodArguments tool) {
        JsonNode payload = answer.payload();
        if (payload != null && declines(question, payload)) {
            return new NextStep.Settle(Call.State.FAILED, Payloads.declined(call, payload));
        }
        return payload != null ? new NextStep.Settle(Call.State.EXECUTED, text(payload)) : unanswered(call);
    }

    private static NextStep unanswered(Call call) {
        return call.attempts().isEmpty()
                ? NextStep.notExecuted(ModelTexts.unanswered(call.toolName()))
                : new NextStep.Settle(Call.State.FAILED, ModelTexts.unfinished(call.toolName()));
    }

    /** As a tool's result reaches the model: a text as it is, everything else as JSON. */
    static String text(@Nullable JsonNode payload) {
        JsonNode value = Objects.requireNonNullElseGet(payload, AguiCodec.mapper()::nullNode);
        return value.isTextual() ? value.textValue() : value.toString();
    }
}
