package io.holdpoint.agui;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import java.util.Objects;

/**
 * Carries what a tool returned; mints a tool message of its own.
 *
 * <p>JSON: {@code {"type":"TOOL_CALL_RESULT","messageId":…,"toolCallId":…,"content":…,"role":"tool"}}. Mirrors AG-UI's
 * {@code ToolCallResultEvent}. Immutable, so thread-safe.
 *
 * @param messageId the id of the tool message
 * @param toolCallId the call this answers
 * @param content what the tool returned
 * @param base the fields every event may carry
 */
public record ToolCallResultEvent(
        String messageId,
        String toolCallId,
        MessageContent content,
        @JsonUnwrapped EventBase base) implements Event {

    /** Checks that the required fields are there. */
    public ToolCallResultEvent {
        Objects.requireNonNull(messageId, "messageId");
        Objects.requireNonNull(toolCallId, "toolCallId");
        Objects.requireNonNull(content, "content");
        Objects.requireNonNull(base, "base");
    }

    /** Without base fields. */
    public ToolCallResultEvent(String messageId, String toolCallId, MessageContent content) {
        this(messageId, toolCallId, content, EventBase.NONE);
    }

    @Override
    public String type() {
        return "TOOL_CALL_RESULT";
    }

    /** The role on the wire, always {@code tool}. */
    @JsonProperty("role")
    public String role() {
        return "tool";
    }
}
