package io.holdpoint.agui;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import java.util.Objects;

/**
 * Appends a fragment to a streamed reasoning message.
 *
 * <p>JSON: {@code {"type":"REASONING_MESSAGE_CONTENT","messageId":…,"delta":…}}. Mirrors AG-UI's {@code
 * ReasoningMessageContentEvent}. Immutable, so thread-safe.
 *
 * @param messageId the id of the message, unique within the thread
 * @param delta the fragment
 * @param base the fields every event may carry
 */
public record ReasoningMessageContentEvent(
        String messageId, String delta, @JsonUnwrapped EventBase base) implements Event {

    /** Checks that the required fields are there. */
    public ReasoningMessageContentEvent {
        Objects.requireNonNull(messageId, "messageId");
        Objects.requireNonNull(delta, "delta");
        Objects.requireNonNull(base, "base");
    }

    /** Without base fields. */
    public ReasoningMessageContentEvent(String messageId, String delta) {
        this(messageId, delta, EventBase.NONE);
    }

    @Override
    public String type() {
        return "REASONING_MESSAGE_CONTENT";
    }
}
