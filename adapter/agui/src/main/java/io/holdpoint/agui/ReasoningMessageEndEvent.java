package io.holdpoint.agui;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import java.util.Objects;

/**
 * Closes a streamed reasoning message.
 *
 * <p>JSON: {@code {"type":"REASONING_MESSAGE_END","messageId":…}}. Mirrors AG-UI's {@code ReasoningMessageEndEvent}.
 * Immutable, so thread-safe.
 *
 * @param messageId the id of the message, unique within the thread
 * @param base the fields every event may carry
 */
public record ReasoningMessageEndEvent(
        String messageId, @JsonUnwrapped EventBase base) implements Event {

    /** Checks that the required fields are there. */
    public ReasoningMessageEndEvent {
        Objects.requireNonNull(messageId, "messageId");
        Objects.requireNonNull(base, "base");
    }

    /** Without base fields. */
    public ReasoningMessageEndEvent(String messageId) {
        this(messageId, EventBase.NONE);
    }

    @Override
    public String type() {
        return "REASONING_MESSAGE_END";
    }
}
