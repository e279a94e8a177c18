package io.holdpoint.agui;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Instant;
import java.util.List;

/** One of everything, once with every field and once with only what is required. */
final class Examples {

    private static final EventBase ATTRIBUTED =
            new EventBase(1_750_000_000_123L, json("{\"native\":1.50}"), object("{\"trace\":null}"), "sub-1");
    private static final EventBase RUN_SCOPED =
            new EventBase(1_750_000_000_123L, json("[true]"), object("{\"trace\":\"t\"}"), null);
    private static final MessageExtras NAMED = new MessageExtras("Ada", "enc", object("{\"k\":null}"), "sub-1");
    private static final MessageExtras UNNAMED = new MessageExtras(null, "enc", object("{\"k\":1}"), "sub-1");
    private static final TokenUsage USAGE = new TokenUsage("openai", "gpt", 10, 5, 15, 2, 3, 4);

    static final Interrupt INTERRUPT = new Interrupt(
            "int-1",
            "tool_call",
            "Send the mail?",
            "call-1",
            object("{\"type\":\"object\"}"),
            Instant.parse("2026-01-31T12:00:00Z"),
            object("{\"langchain4j\":{\"toolName\":\"sendMail\"}}"));

    private Examples() {}

    static JsonNode json(String json) {
        try {
            return AguiCodec.mapper().readTree(json);
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException(e);
        }
    }

    static ObjectNode object(String json) {
        return (ObjectNode) json(json);
    }

    static ArrayNode array(String json) {
        return (ArrayNode) json(json);
    }

    /** Every event with every field. */
    static List<Event> fullEvents() {
        ArrayNode patch = array("[{\"op\":\"add\",\"path\":\"/a\",\"value\":null}]");
        ObjectNode content = object("{\"steps\":[1,2]}");
        return List.of(
                new RunStartedEvent("t", "r", "1.0", "r0", fullInput(), RUN_SCOPED),
                new RunFinishedEvent(
                        "t", "r", RunFinishedOutcome.success(), json("{\"x\":null}"), List.of(USAGE), RUN_SCOPED),
                new RunErrorEvent("failed", "CODE", List.of(USAGE), RUN_SCOPED),
                new StepStartedEvent("plan", ATTRIBUTED),
                new StepFinishedEvent("plan", ATTRIBUTED),
                new TextMessageStartEvent("m", "developer", "Ada", ATTRIBUTED),
                new TextMessageContentEvent("m", "Zürich\n\"quoted\" \uD83D\uDE00", ATTRIBUTED),
                new TextMessageEndEvent("m", ATTRIBUTED),
                new TextMessageChunkEvent("m", "assistant", "d", "Ada", ATTRIBUTED),
                new ToolCallStartEvent("c", "sendMail", "m", ATTRIBUTED),
                new ToolCallArgsEvent("c", "{\"to\":", ATTRIBUTED),
                new ToolCallEndEvent("c", ATTRIBUTED),
                new ToolCallChunkEvent("c", "sendMail", "m", "{}", ATTRIBUTED),
                new ToolCallResultEvent("m2", "c", new MessageContent.Parts(fullParts()), ATTRIBUTED),
                new StateSnapshotEvent(json("{\"price\":1.10}"), ATTRIBUTED),
                new StateDeltaEvent(patch, ATTRIBUTED),
                new MessagesSnapshotEvent(fullMessages(), RUN_SCOPED),
                new ActivitySnapshotEvent("m", "PLAN", content, false, ATTRIBUTED),
                new ActivityDeltaEvent("m", "PLAN", patch, ATTRIBUTED),
                new RawEvent(json("null"), "openai", ATTRIBUTED),
                new CustomEvent("n", json("null"), ATTRIBUTED),
                new ReasoningStartEvent("s", ATTRIBUTED),
                new ReasoningMessageStartEvent("m", ATTRIBUTED),
                new ReasoningMessageContentEvent("m", "because", ATTRIBUTED),
                new ReasoningMessageEndEvent("m", ATTRIBUTED),
                new ReasoningMessageChunkEvent("m", "because", ATTRIBUTED),
                new ReasoningEndEvent("s", ATTRIBUTED),
                new ReasoningEncryptedValueEvent(
                        ReasoningEncryptedValueEvent.Subtype.TOOL_CALL, "c", "enc", ATTRIBUTED),
                new SubagentStartedEvent("sub-1", "researcher", "looks up", "sub-0", "c", "m", RUN_SCOPED),
                new SubagentFinishedEvent(
                        "sub-1", new SubagentFinishedOutcome.Suspended(List.of("int-1")), json("1"), RUN_SCOPED),
                new SubagentErrorEvent("sub-1", "failed", "CODE", RUN_SCOPED));
    }

    /** Every event with only the required fields, and the outcomes. */
    static List<Event> bareEvents() {
        return List.of(
                new RunStartedEvent("t", "r"),
                new RunFinishedEvent("t", "r", RunFinishedOutcome.success(), null, List.of()),
                new RunFinishedEvent("t", "r", new RunFinishedOutcome.Success(List.of("c1", "c2")), null, List.of()),
                new RunFinishedEvent("t", "r", RunFinishedOutcome.interrupt(List.of(INTERRUPT)), null, List.of()),
                new RunFinishedEvent(
                        "t",
                        "r",
                        RunFinishedOutcome.interrupt(
                                List.of(new Interrupt("i", "confirmation", null, null, null, null, null))),
                        null,
                        List.of(new TokenUsage(null, null, null, null, null, null, null, null))),
                new RunFinishedEvent("t", "r", RunFinishedOutcome.cancelled(), null, List.of()),
                new RunErrorEvent("failed", null),
                new StepStartedEvent("plan"),
                new StepFinishedEvent("plan"),
                new TextMessageStartEvent("m"),
                new TextMessageContentEvent("m", ""),
                new TextMessageEndEvent("m"),
                new TextMessageChunkEvent(null, null, null, null),
                new ToolCallStartEvent("c", "sendMail", null),
                new ToolCallArgsEvent("c", "{}"),
                new ToolCallEndEvent("c"),
                new ToolCallChunkEvent(null, null, null, null),
                new ToolCallResultEvent("m", "c", MessageContent.text("done")),
                new StateSnapshotEvent(json("{}")),
                new StateDeltaEvent(array("[]")),
                new MessagesSnapshotEvent(bareMessages()),
                new ActivitySnapshotEvent("m", "PLAN", object("{}"), null),
                new ActivityDeltaEvent("m", "PLAN", array("[]")),
                new RawEvent(json("{}"), null),
                new CustomEvent("n", json("0")),
                new ReasoningStartEvent("s"),
                new ReasoningMessageStartEvent("m"),
                new ReasoningMessageContentEvent("m", "because"),
                new ReasoningMessageEndEvent("m"),
                new ReasoningMessageChunkEvent(null, null),
                new ReasoningEndEvent("s"),
                new ReasoningEncryptedValueEvent(ReasoningEncryptedValueEvent.Subtype.MESSAGE, "m", "enc"),
                new SubagentStartedEvent("sub-1", "researcher", null, null, null, null),
                new SubagentFinishedEvent("sub-1", new SubagentFinishedOutcome.Success(), null),
                new SubagentErrorEvent("sub-1", "failed", null));
    }

    /** Every part of AG-UI 1.0 with every field. */
    static List<ContentPart> fullParts() {
        JsonNode metadata = json("{\"detail\":\"high\"}");
        return List.of(
                new ContentPart.Text("look ", "p1", metadata),
                new ContentPart.Image(new PartSource.Data("aGk=", "image/png"), "p2", metadata),
                new ContentPart.Audio(new PartSource.Url("https://example.org/a.mp3", "audio/mpeg"), "p3", metadata),
                new ContentPart.Video(new PartSource.File("file-1", "openai", "video/mp4"), "p4", metadata),
                new ContentPart.Document(new PartSource.Url("https://example.org/a.pdf", null)),
                new ContentPart.Image(new PartSource.File("file-2", null, null)),
                new ContentPart.Text("here"));
    }

    /** Every message with every field. */
    static List<Message> fullMessages() {
        ToolCall call = new ToolCall("c", "sendMail", "{\"to\":\"a\"}", "enc", object("{\"k\":1}"));
        return List.of(
                new Message.User("1", new MessageContent.Parts(fullParts()), NAMED),
                new Message.Assistant("2", "I will", List.of(call), NAMED),
                new Message.Tool("3", "c", MessageContent.text("sent"), "late", UNNAMED),
                new Message.System("4", "be kind", NAMED),
                new Message.Developer("5", "be brief", NAMED),
                new Message.Activity(
                        "6",
                        "PLAN",
                        object("{\"steps\":[]}"),
                        new MessageExtras(null, null, object("{\"k\":1}"), "sub-1")),
                new Message.Reasoning("7", "because", UNNAMED));
    }

    /** Every message with only the required fields. */
    static List<Message> bareMessages() {
        return List.of(
                new Message.User("1", MessageContent.text("hi")),
                new Message.Assistant("2", null, List.of(new ToolCall("c", "sendMail", "{}"))),
                new Message.Assistant("2b", "hello", List.of()),
                new Message.Tool("3", "c", MessageContent.text("sent"), null),
                new Message.System("4", "be kind"),
                new Message.Developer("5", "be brief"),
                new Message.Activity("6", "PLAN", object("{}")),
                new Message.Reasoning("7", "because"));
    }

    /** A run input with every field. */
    static RunAgentInput fullInput() {
        return new RunAgentInput(
                "t",
                "r",
                "1.0",
                "r0",
                json("{\"cart\":[1.10]}"),
                fullMessages(),
                List.of(
                        new ClientToolSpec("pick", "Picks", json("{\"type\":\"object\"}"), object("{\"k\":null}")),
                        new ClientToolSpec("plain", "Plain", null, null)),
                List.of(new ContextEntry("page", "/cart")),
                json("{\"tenant\":7}"),
                List.of(
                        ResumeEntry.resolved("int-1", json("{\"approved\":true}")),
                        ResumeEntry.cancelled("int-2"),
                        new ResumeEntry(
                                "int-3", ResumeEntry.Status.RESOLVED, json("false"), object("{\"by\":\"ada\"}"))));
    }
}
