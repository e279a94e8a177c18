package io.holdpoint.agui;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import java.util.Objects;

/**
 * Closes a tool call: its arguments are complete.
 *
 * <p>JSON: {@code {"type":"TOOL_CALL_END","toolCallId":…}}. Mirrors AG-UI's {@code ToolCallEndEvent}. Immutable, so
 * thread-safe.
 *
 * @param toolCallId the id of the tool call
 * @param base the fields every event may carry
 */
public record ToolCallEndEvent(
        String toolCallId, @JsonUnwrapped EventBase base) implements Event {

    /** Checks that the required fields are there. */
    public ToolCallEndEvent {
        Objects.requireNonNull(toolCallId, "toolCallId");
        Objects.requireNonNull(base, "base");
    }

    /** Without base fields. */
    public ToolCallEndEvent(String toolCallId) {
        this(toolCallId, EventBase.NONE);
    }

    @Override
    public String type() {
        return "TOOL_CALL_END";
    }
}
