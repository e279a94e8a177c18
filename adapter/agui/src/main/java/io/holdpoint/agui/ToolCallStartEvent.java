package io.holdpoint.agui;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Opens a tool call.
 *
 * <p>JSON: {@code {"type":"TOOL_CALL_START","toolCallId":…,"toolCallName":…,"parentMessageId"?:…}}. Mirrors AG-UI's
 * {@code ToolCallStartEvent}. Immutable, so thread-safe.
 *
 * @param toolCallId the id of the tool call
 * @param toolCallName the name of the tool
 * @param parentMessageId the assistant message that made the call; {@code null} if absent
 * @param base the fields every event may carry
 */
public record ToolCallStartEvent(
        String toolCallId,
        String toolCallName,
        @Nullable String parentMessageId,
        @JsonUnwrapped EventBase base) implements Event {

    /** Checks that the required fields are there. */
    public ToolCallStartEvent {
        Objects.requireNonNull(toolCallId, "toolCallId");
        Objects.requireNonNull(toolCallName, "toolCallName");
        Objects.requireNonNull(base, "base");
    }

    /** Without base fields. */
    public ToolCallStartEvent(String toolCallId, String toolCallName, @Nullable String parentMessageId) {
        this(toolCallId, toolCallName, parentMessageId, EventBase.NONE);
    }

    @Override
    public String type() {
        return "TOOL_CALL_START";
    }
}
