package io.holdpoint.internal.input;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.holdpoint.Limits;
import io.holdpoint.agui.AguiCodec;
import io.holdpoint.internal.gate.ApprovalForm;
import io.holdpoint.internal.gate.ToolArguments;
import io.holdpoint.store.Call.Question;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** How long an answer may be, before anything else is looked at. Thread-safe. */
final class AnswerLimits {

    private final Limits limits;

    AnswerLimits(Limits limits) {
        this.limits = limits;
    }

    /** What is too much, with the path within the payload; empty if nothing is. */
    Optional<String> violation(Question question, @Nullable JsonNode payload) {
        if (!(payload instanceof ObjectNode answer)) {
            return payload == null ? Optional.empty() : immodest(payload).map(why -> ": " + why);
        }
        long longest = (long) limits.argumentsLength() + limits.reasonLength();
        if (isOfItsOwnShape(question)) {
            return tooMuch(answer, longest).map(why -> ": " + why);
        }
        for (String field : List.of(ApprovalForm.REASON, "note")) {
            if (answer.path(field).asText().length() > limits.reasonLength()) {
                return Optional.of("/" + field + ": longer than " + limits.reasonLength() + " characters");
            }
        }
        Optional<String> edited = ApprovalForm.sentEdits(answer)
                .flatMap(arguments -> tooMuch(arguments, limits.argumentsLength()))
                .map(why -> "/" + ApprovalForm.EDITS + ": " + why);
        return edited.or(() -> tooMuch(answer, longest).map(why -> ": " + why));
    }

    /** Its fields are the application's, whatever they are called. */
    private static boolean isOfItsOwnShape(Question question) {
        return switch (question.kind()) {
            case RESULT, RESPONSE, RESTART -> true;
            case APPROVAL, OUTCOME_UNKNOWN, TOOL_ERROR, UNKNOWN -> false;
        };
    }

    private static Optional<String> tooMuch(ObjectNode node, long longest) {
        return immodest(node)
                .or(() -> AguiCodec.write(node).length() > longest
                        ? Optional.of("longer than " + longest + " characters")
                        : Optional.empty());
    }

    private static Optional<String> immodest(JsonNode node) {
        try {
            ToolArguments.requireModest(node);
            return Optional.empty();
        } catch (ToolArguments.MalformedException e) {
            return Optional.of(String.valueOf(e.getMessage()));
        }
    }
}
