package io.holdpoint.agui;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import java.util.Objects;

/**
 * Appends a fragment to a streamed text message.
 *
 * <p>JSON: {@code {"type":"TEXT_MESSAGE_CONTENT","messageId":…,"delta":…}}. Mirrors AG-UI's {@code
 * TextMessageContentEvent}. Immutable, so thread-safe.
 *
 * @param messageId the id of the message, unique within the thread
 * @param delta the fragment
 * @param base the fields every event may carry
 */
public record TextMessageContentEvent(
        String messageId, String delta, @JsonUnwrapped EventBase base) implements Event {

    /** Checks that the required fields are there. */
    public TextMessageContentEvent {
        Objects.requireNonNull(messageId, "messageId");
        Objects.requireNonNull(delta, "delta");
        Objects.requireNonNull(base, "base");
    }

    /** Without base fields. */
    public TextMessageContentEvent(String messageId, String delta) {
        this(messageId, delta, EventBase.NONE);
    }

    @Override
    public String type() {
        return "TEXT_MESSAGE_CONTENT";
    }
}
