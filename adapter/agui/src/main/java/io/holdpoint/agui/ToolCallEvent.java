package io.holdpoint.agui;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonTypeName;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A streamed tool call, from its start to its result. */
public sealed interface ToolCallEvent extends Event {

    /**
     * Opens a tool call. JSON: {@code {"type":"TOOL_CALL_START","toolCallId":…,"toolCallName":…,"parentMessageId"?:…}}.
     * Mirrors AG-UI's {@code ToolCallStartEvent}.
     */
    @JsonTypeName("TOOL_CALL_START")
    record Start(
            String toolCallId,
            String toolCallName,
            @Nullable String parentMessageId,
            @JsonUnwrapped EventBase base) implements ToolCallEvent, Event.Opening {

        /** Creates the event without base fields. */
        public Start(String toolCallId, String toolCallName, @Nullable String parentMessageId) {
            this(toolCallId, toolCallName, parentMessageId, EventBase.NONE);
        }

        @Override
        public End closing() {
            return new End(toolCallId);
        }

        @Override
        public @Nullable String showsMessage() {
            return parentMessageId;
        }
    }

    /**
     * Appends a fragment of the arguments of a tool call. JSON: {@code {"type":"TOOL_CALL_ARGS","toolCallId":…,"delta":…}}.
     * Mirrors AG-UI's {@code ToolCallArgsEvent}.
     */
    @JsonTypeName("TOOL_CALL_ARGS")
    record Args(
            String toolCallId, String delta, @JsonUnwrapped EventBase base) implements ToolCallEvent, Event.Fragment {

        /** Creates the event without base fields. */
        public Args(String toolCallId, String delta) {
            this(toolCallId, delta, EventBase.NONE);
        }

        @Override
        public Args withDelta(String delta) {
            return new Args(toolCallId, delta, base);
        }
    }

    /**
     * Closes a tool call: its arguments are complete. JSON: {@code {"type":"TOOL_CALL_END","toolCallId":…}}. Mirrors AG-UI's
     * {@code ToolCallEndEvent}.
     */
    @JsonTypeName("TOOL_CALL_END")
    record End(String toolCallId, @JsonUnwrapped EventBase base) implements ToolCallEvent, Event.Closing {

        /** Creates the event without base fields. */
        public End(String toolCallId) {
            this(toolCallId, EventBase.NONE);
        }
    }

    /**
     * Shorthand for start, args and end of a tool call; a continuation omits what has not changed. JSON:
     * {@code {"type":"TOOL_CALL_CHUNK","toolCallId"?:…,"toolCallName"?:…,"parentMessageId"?:…,"delta"?:…}}. Mirrors AG-UI's
     * {@code ToolCallChunkEvent}.
     */
    @JsonTypeName("TOOL_CALL_CHUNK")
    record Chunk(
            @Nullable String toolCallId,
            @Nullable String toolCallName,
            @Nullable String parentMessageId,
            @Nullable String delta,
            @JsonUnwrapped EventBase base)
            implements ToolCallEvent {}

    /**
     * Carries what a tool returned; mints a tool message of its own. JSON:
     * {@code {"type":"TOOL_CALL_RESULT","messageId":…,"toolCallId":…,"content":…,"role":"tool"}}. Mirrors AG-UI's
     * {@code ToolCallResultEvent}.
     */
    @JsonTypeName("TOOL_CALL_RESULT")
    record Result(
            String messageId,
            String toolCallId,
            MessageContent content,
            @JsonUnwrapped EventBase base) implements ToolCallEvent {

        /** Checks that the required fields are there. */
        public Result {
            Objects.requireNonNull(messageId, "messageId");
            Objects.requireNonNull(toolCallId, "toolCallId");
            Objects.requireNonNull(content, "content");
            Objects.requireNonNull(base, "base");
        }

        @Override
        public int contentLength() {
            return content.asText().length();
        }

        /** The role on the wire, always {@code tool}. */
        @JsonProperty("role")
        public String role() {
            return "tool";
        }
    }
}
