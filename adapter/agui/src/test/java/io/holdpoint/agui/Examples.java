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
                new RunEvent.Started("t", "r", "1.0", "r0", fullInput(), RUN_SCOPED),
                new RunEvent.Finished(
                        "t", "r", RunFinishedOutcome.success(), json("{\"x\":null}"), List.of(USAGE), RUN_SCOPED),
                new RunEvent.Error("failed", "CODE", List.of(USAGE), RUN_SCOPED),
                new StepEvent.Started("plan", ATTRIBUTED),
                new StepEvent.Finished("plan", ATTRIBUTED),
                new TextMessageEvent.Start("m", "developer", "Ada", ATTRIBUTED),
                new TextMessageEvent.Content("m", "Zürich\n\"quoted\" \uD83D\uDE00", ATTRIBUTED),
                new TextMessageEvent.End("m", ATTRIBUTED),
                new TextMessageEvent.Chunk("m", "assistant", "d", "Ada", ATTRIBUTED),
                new ToolCallEvent.Start("c", "sendMail", "m", ATTRIBUTED),
                new ToolCallEvent.Args("c", "{\"to\":", ATTRIBUTED),
                new ToolCallEvent.End("c", ATTRIBUTED),
                new ToolCallEvent.Chunk("c", "sendMail", "m", "{}", ATTRIBUTED),
                new ToolCallEvent.Result("m2", "c", new MessageContent.Parts(fullParts()), ATTRIBUTED),
                new StateEvent.Snapshot(json("{\"price\":1.10}"), ATTRIBUTED),
                new StateEvent.Delta(patch, ATTRIBUTED),
                new MessagesSnapshotEvent(fullMessages(), RUN_SCOPED),
                new ActivityEvent.Snapshot("m", "PLAN", content, false, ATTRIBUTED),
                new ActivityEvent.Delta("m", "PLAN", patch, ATTRIBUTED),
                new FreeEvent.Raw(json("null"), "openai", ATTRIBUTED),
                new FreeEvent.Custom("n", json("null"), ATTRIBUTED),
                new ReasoningEvent.Start("s", ATTRIBUTED),
                new ReasoningEvent.MessageStart("m", ATTRIBUTED),
                new ReasoningEvent.MessageContent("m", "because", ATTRIBUTED),
                new ReasoningEvent.MessageEnd("m", ATTRIBUTED),
                new ReasoningEvent.MessageChunk("m", "because", ATTRIBUTED),
                new ReasoningEvent.End("s", ATTRIBUTED),
                new ReasoningEvent.EncryptedValue(
                        ReasoningEvent.EncryptedValue.Subtype.TOOL_CALL, "c", "enc", ATTRIBUTED),
                new SubagentEvent.Started("sub-1", "researcher", "looks up", "sub-0", "c", "m", RUN_SCOPED),
                new SubagentEvent.Finished(
                        "sub-1", new SubagentEvent.Outcome.Suspended(List.of("int-1")), json("1"), RUN_SCOPED),
                new SubagentEvent.Error("sub-1", "failed", "CODE", RUN_SCOPED));
    }

    /** Every event with only the required fields, and the outcomes. */
    static List<Event> bareEvents() {
        return List.of(
                new RunEvent.Started("t", "r"),
                new RunEvent.Finished("t", "r", RunFinishedOutcome.success(), null, List.of()),
                new RunEvent.Finished("t", "r", new RunFinishedOutcome.Success(List.of("c1", "c2")), null, List.of()),
                new RunEvent.Finished("t", "r", RunFinishedOutcome.interrupt(List.of(INTERRUPT)), null, List.of()),
                new RunEvent.Finished(
                        "t",
                        "r",
                        RunFinishedOutcome.interrupt(
                                List.of(new Interrupt("i", "confirmation", null, null, null, null, null))),
                        null,
                        List.of(new TokenUsage(null, null, null, null, null, null, null, null))),
                new RunEvent.Finished("t", "r", RunFinishedOutcome.cancelled(), null, List.of()),
                new RunEvent.Error("failed", null),
                new StepEvent.Started("plan"),
                new StepEvent.Finished("plan"),
                new TextMessageEvent.Start("m"),
                new TextMessageEvent.Content("m", ""),
                new TextMessageEvent.End("m"),
                new TextMessageEvent.Chunk(null, null, null, null, EventBase.NONE),
                new ToolCallEvent.Start("c", "sendMail", null),
                new ToolCallEvent.Args("c", "{}"),
                new ToolCallEvent.End("c"),
                new ToolCallEvent.Chunk(null, null, null, null, EventBase.NONE),
                new ToolCallEvent.Result("m", "c", MessageContent.text("done"), EventBase.NONE),
                new StateEvent.Snapshot(json("{}")),
                new StateEvent.Delta(array("[]")),
                new MessagesSnapshotEvent(bareMessages()),
                new ActivityEvent.Snapshot("m", "PLAN", object("{}"), null),
                new ActivityEvent.Delta("m", "PLAN", array("[]")),
                new FreeEvent.Raw(json("{}"), null),
                new FreeEvent.Custom("n", json("0")),
                new ReasoningEvent.Start("s"),
                new ReasoningEvent.MessageStart("m"),
                new ReasoningEvent.MessageContent("m", "because"),
                new ReasoningEvent.MessageEnd("m"),
                new ReasoningEvent.MessageChunk(null, null, EventBase.NONE),
                new ReasoningEvent.End("s"),
                new ReasoningEvent.EncryptedValue(
                        ReasoningEvent.EncryptedValue.Subtype.MESSAGE, "m", "enc", EventBase.NONE),
                new SubagentEvent.Started("sub-1", "researcher", null, null, null, null, EventBase.NONE),
                new SubagentEvent.Finished("sub-1", new SubagentEvent.Outcome.Success(), null, EventBase.NONE),
                new SubagentEvent.Error("sub-1", "failed", null, EventBase.NONE));
    }

    /** Every part of AG-UI 1.0 with every field. */
    static List<ContentPart> fullParts() {
        JsonNode metadata = json("{\"detail\":\"high\"}");
        return List.of(
                new ContentPart.Text("look ", "p1", metadata),
                new ContentPart.Media(
                        ContentPart.Media.Kind.IMAGE, new PartSource.Data("aGk=", "image/png"), "p2", metadata),
                new ContentPart.Media(
                        ContentPart.Media.Kind.AUDIO,
                        new PartSource.Url("https://example.org/a.mp3", "audio/mpeg"),
                        "p3",
                        metadata),
                new ContentPart.Media(
                        ContentPart.Media.Kind.VIDEO,
                        new PartSource.File("file-1", "openai", "video/mp4"),
                        "p4",
                        metadata),
                new ContentPart.Media(
                        ContentPart.Media.Kind.DOCUMENT, new PartSource.Url("https://example.org/a.pdf", null)),
                new ContentPart.Media(ContentPart.Media.Kind.IMAGE, new PartSource.File("file-2", null, null)),
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
