package io.holdpoint.agui;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import java.util.Objects;

/**
 * Closes a span of reasoning.
 *
 * <p>JSON: {@code {"type":"REASONING_END","messageId":…}}. Mirrors AG-UI's {@code ReasoningEndEvent}. Immutable, so
 * thread-safe.
 *
 * @param messageId the id of the span
 * @param base the fields every event may carry
 */
public record ReasoningEndEvent(
        String messageId, @JsonUnwrapped EventBase base) implements Event {

    /** Checks that the required fields are there. */
    public ReasoningEndEvent {
        Objects.requireNonNull(messageId, "messageId");
        Objects.requireNonNull(base, "base");
    }

    /** Without base fields. */
    public ReasoningEndEvent(String messageId) {
        this(messageId, EventBase.NONE);
    }

    @Override
    public String type() {
        return "REASONING_END";
    }
}
