package io.holdpoint.agui;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import java.util.Objects;

/**
 * Opens a span of reasoning, which may contain several reasoning messages.
 *
 * <p>JSON: {@code {"type":"REASONING_START","messageId":…}}. Mirrors AG-UI's {@code ReasoningStartEvent}. Immutable, so
 * thread-safe.
 *
 * @param messageId the id of the span
 * @param base the fields every event may carry
 */
public record ReasoningStartEvent(
        String messageId, @JsonUnwrapped EventBase base) implements Event {

    /** Checks that the required fields are there. */
    public ReasoningStartEvent {
        Objects.requireNonNull(messageId, "messageId");
        Objects.requireNonNull(base, "base");
    }

    /** Without base fields. */
    public ReasoningStartEvent(String messageId) {
        this(messageId, EventBase.NONE);
    }

    @Override
    public String type() {
        return "REASONING_START";
    }
}
