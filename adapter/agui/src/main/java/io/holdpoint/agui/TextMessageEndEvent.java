package io.holdpoint.agui;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import java.util.Objects;

/**
 * Closes a streamed text message.
 *
 * <p>JSON: {@code {"type":"TEXT_MESSAGE_END","messageId":…}}. Mirrors AG-UI's {@code TextMessageEndEvent}. Immutable,
 * so thread-safe.
 *
 * @param messageId the id of the message, unique within the thread
 * @param base the fields every event may carry
 */
public record TextMessageEndEvent(
        String messageId, @JsonUnwrapped EventBase base) implements Event {

    /** Checks that the required fields are there. */
    public TextMessageEndEvent {
        Objects.requireNonNull(messageId, "messageId");
        Objects.requireNonNull(base, "base");
    }

    /** Without base fields. */
    public TextMessageEndEvent(String messageId) {
        this(messageId, EventBase.NONE);
    }

    @Override
    public String type() {
        return "TEXT_MESSAGE_END";
    }
}
