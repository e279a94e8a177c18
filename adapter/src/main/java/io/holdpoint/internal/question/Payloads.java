package io.holdpoint.internal.question;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.holdpoint.PendingInterrupt;
import io.holdpoint.store.Question;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What the payloads of several kinds of answer have in common. */
final class Payloads {

    private Payloads() {}

    /** A copy in which a field that is JSON {@code null} is absent. */
    static ObjectNode withoutNull(ObjectNode payload, String field) {
        ObjectNode copy = payload.deepCopy();
        JsonNode value = copy.get(field);
        if (value != null && value.isNull()) {
            copy.remove(field);
        }
        return copy;
    }

    /** The arguments that the person was shown: what runs unless they are edited. */
    static ObjectNode shown(Question question) {
        return new PendingInterrupt(question.interrupt()).arguments();
    }

    static Optional<String> text(@Nullable JsonNode payload, String field) {
        return Optional.ofNullable(payload)
                .map(present -> present.get(field))
                .filter(JsonNode::isTextual)
                .map(JsonNode::textValue);
    }
}
