package io.holdpoint.agui;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import java.util.Objects;

/**
 * Appends a fragment of the arguments of a tool call.
 *
 * <p>JSON: {@code {"type":"TOOL_CALL_ARGS","toolCallId":…,"delta":…}}. Mirrors AG-UI's {@code ToolCallArgsEvent}.
 * Immutable, so thread-safe.
 *
 * @param toolCallId the id of the tool call
 * @param delta the fragment of the JSON text of the arguments
 * @param base the fields every event may carry
 */
public record ToolCallArgsEvent(
        String toolCallId, String delta, @JsonUnwrapped EventBase base) implements Event {

    /** Checks that the required fields are there. */
    public ToolCallArgsEvent {
        Objects.requireNonNull(toolCallId, "toolCallId");
        Objects.requireNonNull(delta, "delta");
        Objects.requireNonNull(base, "base");
    }

    /** Without base fields. */
    public ToolCallArgsEvent(String toolCallId, String delta) {
        this(toolCallId, delta, EventBase.NONE);
    }

    @Override
    public String type() {
        return "TOOL_CALL_ARGS";
    }
}
