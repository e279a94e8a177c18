package io.holdpoint.agui;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Shorthand for start, content and end of a reasoning message; a continuation omits what has not changed.
 *
 * <p>JSON: {@code {"type":"REASONING_MESSAGE_CHUNK","messageId"?:…,"delta"?:…}}. Mirrors AG-UI's {@code
 * ReasoningMessageChunkEvent}. Immutable, so thread-safe.
 *
 * @param messageId the id of the message; {@code null} if absent
 * @param delta the fragment; {@code null} if absent
 * @param base the fields every event may carry
 */
public record ReasoningMessageChunkEvent(
        @Nullable String messageId,
        @Nullable String delta,
        @JsonUnwrapped EventBase base) implements Event {

    /** Checks that the required fields are there. */
    public ReasoningMessageChunkEvent {
        Objects.requireNonNull(base, "base");
    }

    /** Without base fields. */
    public ReasoningMessageChunkEvent(@Nullable String messageId, @Nullable String delta) {
        this(messageId, delta, EventBase.NONE);
    }

    @Override
    public String type() {
        return "REASONING_MESSAGE_CHUNK";
    }
}
