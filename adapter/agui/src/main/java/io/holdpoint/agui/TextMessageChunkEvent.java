package io.holdpoint.agui;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Shorthand for start, content and end of a text message; a continuation omits what has not changed.
 *
 * <p>JSON: {@code {"type":"TEXT_MESSAGE_CHUNK","messageId"?:…,"role"?:…,"delta"?:…,"name"?:…}}. Mirrors AG-UI's {@code
 * TextMessageChunkEvent}. Immutable, so thread-safe.
 *
 * @param messageId the id of the message; {@code null} if absent
 * @param role the role of the author; {@code null} if absent
 * @param delta the fragment; {@code null} if absent
 * @param name the name of the author; {@code null} if absent
 * @param base the fields every event may carry
 */
public record TextMessageChunkEvent(
        @Nullable String messageId,
        @Nullable String role,
        @Nullable String delta,
        @Nullable String name,
        @JsonUnwrapped EventBase base)
        implements Event {

    /** Checks that the required fields are there. */
    public TextMessageChunkEvent {
        Objects.requireNonNull(base, "base");
    }

    /** Without base fields. */
    public TextMessageChunkEvent(
            @Nullable String messageId, @Nullable String role, @Nullable String delta, @Nullable String name) {
        this(messageId, role, delta, name, EventBase.NONE);
    }

    @Override
    public String type() {
        return "TEXT_MESSAGE_CHUNK";
    }
}
