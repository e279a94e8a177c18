package io.holdpoint.agui;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Shorthand for start, args and end of a tool call; a continuation omits what has not changed.
 *
 * <p>JSON: {@code {"type":"TOOL_CALL_CHUNK","toolCallId"?:…,"toolCallName"?:…,"parentMessageId"?:…,"delta"?:…}}.
 * Mirrors AG-UI's {@code ToolCallChunkEvent}. Immutable, so thread-safe.
 *
 * @param toolCallId the id of the tool call; {@code null} if absent
 * @param toolCallName the name of the tool; {@code null} if absent
 * @param parentMessageId the assistant message that made the call; {@code null} if absent
 * @param delta the fragment of the JSON text of the arguments; {@code null} if absent
 * @param base the fields every event may carry
 */
public record ToolCallChunkEvent(
        @Nullable String toolCallId,
        @Nullable String toolCallName,
        @Nullable String parentMessageId,
        @Nullable String delta,
        @JsonUnwrapped EventBase base)
        implements Event {

    /** Checks that the required fields are there. */
    public ToolCallChunkEvent {
        Objects.requireNonNull(base, "base");
    }

    /** Without base fields. */
    public ToolCallChunkEvent(
            @Nullable String toolCallId,
            @Nullable String toolCallName,
            @Nullable String parentMessageId,
            @Nullable String delta) {
        this(toolCallId, toolCallName, parentMessageId, delta, EventBase.NONE);
    }

    @Override
    public String type() {
        return "TOOL_CALL_CHUNK";
    }
}
