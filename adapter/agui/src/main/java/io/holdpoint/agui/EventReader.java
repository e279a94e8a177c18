package io.holdpoint.agui;

import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Reads events from JSON trees. */
final class EventReader {

    private static final Set<String> TEXT_ROLES = Set.of("assistant", "user", "system", "developer");

    private EventReader() {}

    static Event read(JsonFields e) {
        String type = e.text("type");
        return switch (type) {
            case "RUN_STARTED" ->
                new RunEvent.Started(
                        e.text("threadId"),
                        e.text("runId"),
                        e.optionalText("protocolVersion"),
                        e.optionalText("parentRunId"),
                        InputReader.readOptional(e.optionalChild("input")),
                        ownBase(e));
            case "RUN_FINISHED" ->
                new RunEvent.Finished(
                        e.text("threadId"),
                        e.text("runId"),
                        OutcomeReader.read(e.optionalChild("outcome")),
                        e.optionalJson("result"),
                        e.optionalList("usage", OutcomeReader::usage),
                        ownBase(e));
            case "RUN_ERROR" ->
                new RunEvent.Error(
                        e.text("message"),
                        e.optionalText("code"),
                        e.optionalList("usage", OutcomeReader::usage),
                        ownBase(e));
            case "STEP_STARTED" -> new StepEvent.Started(e.text("stepName"), base(e));
            case "STEP_FINISHED" -> new StepEvent.Finished(e.text("stepName"), base(e));
            case "STATE_SNAPSHOT" -> new StateEvent.Snapshot(e.json("snapshot"), base(e));
            case "STATE_DELTA" -> new StateEvent.Delta(e.array("delta"), base(e));
            case "MESSAGES_SNAPSHOT" -> new MessagesSnapshotEvent(e.list("messages", MessageReader::read), ownBase(e));
            case "ACTIVITY_SNAPSHOT" ->
                new ActivityEvent.Snapshot(
                        e.text("messageId"),
                        e.text("activityType"),
                        e.object("content"),
                        e.optionalBoolean("replace"),
                        base(e));
            case "ACTIVITY_DELTA" ->
                new ActivityEvent.Delta(e.text("messageId"), e.text("activityType"), e.array("patch"), base(e));
            case "RAW" -> new FreeEvent.Raw(e.json("event"), e.optionalText("source"), base(e));
            case "CUSTOM" -> new FreeEvent.Custom(e.text("name"), e.json("value"), base(e));
            default -> readByFamily(type, e);
        };
    }

    private static Event readByFamily(String type, JsonFields e) {
        Event event =
                switch (type.substring(0, Math.max(0, type.indexOf('_')))) {
                    case "TEXT" -> text(type, e);
                    case "TOOL" -> tool(type, e);
                    case "REASONING" -> reasoning(type, e);
                    case "SUBAGENT" -> subagent(type, e);
                    default -> null;
                };
        if (event == null) {
            throw e.notOneOf("type", "the name of an AG-UI 1.0 event such as \"RUN_STARTED\"");
        }
        return event;
    }

    private static @Nullable Event text(String type, JsonFields e) {
        return switch (type) {
            case "TEXT_MESSAGE_START" -> {
                String role = role(e);
                yield new TextMessageEvent.Start(
                        e.text("messageId"), role == null ? "assistant" : role, e.optionalText("name"), base(e));
            }
            case "TEXT_MESSAGE_CONTENT" -> new TextMessageEvent.Content(e.text("messageId"), e.text("delta"), base(e));
            case "TEXT_MESSAGE_END" -> new TextMessageEvent.End(e.text("messageId"), base(e));
            case "TEXT_MESSAGE_CHUNK" ->
                new TextMessageEvent.Chunk(
                        e.optionalText("messageId"), role(e), e.optionalText("delta"), e.optionalText("name"), base(e));
            default -> null;
        };
    }

    private static @Nullable Event tool(String type, JsonFields e) {
        return switch (type) {
            case "TOOL_CALL_START" ->
                new ToolCallEvent.Start(
                        e.text("toolCallId"), e.text("toolCallName"), e.optionalText("parentMessageId"), base(e));
            case "TOOL_CALL_ARGS" -> new ToolCallEvent.Args(e.text("toolCallId"), e.text("delta"), base(e));
            case "TOOL_CALL_END" -> new ToolCallEvent.End(e.text("toolCallId"), base(e));
            case "TOOL_CALL_CHUNK" ->
                new ToolCallEvent.Chunk(
                        e.optionalText("toolCallId"),
                        e.optionalText("toolCallName"),
                        e.optionalText("parentMessageId"),
                        e.optionalText("delta"),
                        base(e));
            case "TOOL_CALL_RESULT" ->
                new ToolCallEvent.Result(e.text("messageId"), e.text("toolCallId"), MessageReader.content(e), base(e));
            default -> null;
        };
    }

    private static @Nullable Event reasoning(String type, JsonFields e) {
        return switch (type) {
            case "REASONING_START" -> new ReasoningEvent.Start(e.text("messageId"), base(e));
            case "REASONING_MESSAGE_START" -> new ReasoningEvent.MessageStart(e.text("messageId"), base(e));
            case "REASONING_MESSAGE_CONTENT" ->
                new ReasoningEvent.MessageContent(e.text("messageId"), e.text("delta"), base(e));
            case "REASONING_MESSAGE_END" -> new ReasoningEvent.MessageEnd(e.text("messageId"), base(e));
            case "REASONING_MESSAGE_CHUNK" ->
                new ReasoningEvent.MessageChunk(e.optionalText("messageId"), e.optionalText("delta"), base(e));
            case "REASONING_END" -> new ReasoningEvent.End(e.text("messageId"), base(e));
            case "REASONING_ENCRYPTED_VALUE" ->
                new ReasoningEvent.EncryptedValue(
                        switch (e.text("subtype")) {
                            case "tool-call" -> ReasoningEvent.EncryptedValue.Subtype.TOOL_CALL;
                            case "message" -> ReasoningEvent.EncryptedValue.Subtype.MESSAGE;
                            default -> throw e.notOneOf("subtype", "\"tool-call\" or \"message\"");
                        },
                        e.text("entityId"),
                        e.text("encryptedValue"),
                        base(e));
            default -> null;
        };
    }

    private static @Nullable Event subagent(String type, JsonFields e) {
        return switch (type) {
            case "SUBAGENT_STARTED" ->
                new SubagentEvent.Started(
                        e.text("subagentRunId"),
                        e.text("name"),
                        e.optionalText("description"),
                        e.optionalText("parentSubagentRunId"),
                        e.optionalText("parentToolCallId"),
                        e.optionalText("parentMessageId"),
                        ownBase(e));
            case "SUBAGENT_FINISHED" ->
                new SubagentEvent.Finished(
                        e.text("subagentRunId"),
                        OutcomeReader.readSubagent(e.optionalChild("outcome")),
                        e.optionalJson("result"),
                        ownBase(e));
            case "SUBAGENT_ERROR" ->
                new SubagentEvent.Error(e.text("subagentRunId"), e.text("message"), e.optionalText("code"), ownBase(e));
            default -> null;
        };
    }

    private static @Nullable String role(JsonFields e) {
        String role = e.optionalText("role");
        if (role != null && !TEXT_ROLES.contains(role)) {
            throw e.notOneOf("role", "\"assistant\", \"user\", \"system\" or \"developer\"");
        }
        return role;
    }

    private static EventBase base(JsonFields e) {
        return base(e, e.optionalText("subagentRunId"));
    }

    /** The base of an event whose {@code subagentRunId} is none of the base's business. */
    private static EventBase ownBase(JsonFields e) {
        return base(e, null);
    }

    private static EventBase base(JsonFields e, @Nullable String subagentRunId) {
        EventBase base = new EventBase(
                e.optionalLong("timestamp"), e.optionalJson("rawEvent"), e.optionalObject("metadata"), subagentRunId);
        return base.equals(EventBase.NONE) ? EventBase.NONE : base;
    }
}
