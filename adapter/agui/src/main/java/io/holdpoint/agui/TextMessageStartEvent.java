package io.holdpoint.agui;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Opens a streamed text message. When read, an absent role means {@code assistant}.
 *
 * <p>JSON: {@code {"type":"TEXT_MESSAGE_START","messageId":…,"role":"assistant","name"?:…}}. Mirrors AG-UI's {@code
 * TextMessageStartEvent}. Immutable, so thread-safe.
 *
 * @param messageId the id of the message, unique within the thread
 * @param role {@code assistant}, {@code user}, {@code system} or {@code developer}
 * @param name the name of the author; {@code null} if absent
 * @param base the fields every event may carry
 */
public record TextMessageStartEvent(
        String messageId,
        String role,
        @Nullable String name,
        @JsonUnwrapped EventBase base) implements Event {

    /** Checks that the required fields are there. */
    public TextMessageStartEvent {
        Objects.requireNonNull(messageId, "messageId");
        Objects.requireNonNull(role, "role");
        Objects.requireNonNull(base, "base");
    }

    /** Without base fields. */
    public TextMessageStartEvent(String messageId, String role, @Nullable String name) {
        this(messageId, role, name, EventBase.NONE);
    }

    /** Opens a message of the assistant. */
    public TextMessageStartEvent(String messageId) {
        this(messageId, "assistant", null, EventBase.NONE);
    }

    @Override
    public String type() {
        return "TEXT_MESSAGE_START";
    }
}
