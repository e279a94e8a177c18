package io.holdpoint.agui;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import java.util.Objects;

/**
 * Opens a streamed reasoning message.
 *
 * <p>JSON: {@code {"type":"REASONING_MESSAGE_START","messageId":…,"role":"reasoning"}}. Mirrors AG-UI's {@code
 * ReasoningMessageStartEvent}. Immutable, so thread-safe.
 *
 * @param messageId the id of the message, unique within the thread
 * @param base the fields every event may carry
 */
public record ReasoningMessageStartEvent(
        String messageId, @JsonUnwrapped EventBase base) implements Event {

    /** Checks that the required fields are there. */
    public ReasoningMessageStartEvent {
        Objects.requireNonNull(messageId, "messageId");
        Objects.requireNonNull(base, "base");
    }

    /** Without base fields. */
    public ReasoningMessageStartEvent(String messageId) {
        this(messageId, EventBase.NONE);
    }

    @Override
    public String type() {
        return "REASONING_MESSAGE_START";
    }

    /** The role on the wire, always {@code reasoning}. */
    @JsonProperty("role")
    public String role() {
        return "reasoning";
    }
}
