package io.holdpoint.agui;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads run inputs and what they are made of, except messages, from JSON trees. */
final class InputReader {

    private InputReader() {}

    static RunAgentInput read(JsonFields input) {
        return new RunAgentInput(
                id(input, "threadId"),
                id(input, "runId"),
                input.optionalText("protocolVersion"),
                input.optionalText("parentRunId"),
                input.optionalJson("state"),
                input.list("messages", MessageReader::read),
                input.optionalList("tools", InputReader::tool),
                input.optionalList("context", InputReader::context),
                input.optionalJson("forwardedProps"),
                resume(input));
    }

    private static String id(JsonFields input, String name) {
        input.nonEmptyText(name);
        return input.id(name);
    }

    static @Nullable RunAgentInput readOptional(@Nullable JsonFields input) {
        return input == null ? null : read(input);
    }

    static ClientToolSpec tool(JsonFields tool) {
        String description = tool.optionalText("description");
        return new ClientToolSpec(
                tool.text("name"),
                description == null ? "" : description,
                tool.present("parameters"),
                tool.optionalObject("metadata"));
    }

    static ContextEntry context(JsonFields context) {
        return new ContextEntry(context.text("description"), context.text("value"));
    }

    static ResumeEntry resumeEntry(JsonFields entry) {
        String id = entry.nonEmptyText("interruptId");
        ResumeEntry.Status status =
                switch (entry.text("status")) {
                    case "resolved" -> ResumeEntry.Status.RESOLVED;
                    case "cancelled" -> ResumeEntry.Status.CANCELLED;
                    default -> throw entry.notOneOf("status", "\"resolved\" or \"cancelled\"");
                };
        return new ResumeEntry(id, status, entry.optionalJson("payload"), entry.optionalObject("metadata"));
    }

    private static List<ResumeEntry> resume(JsonFields input) {
        JsonNode resume = input.optionalJson("resume");
        if (resume instanceof ObjectNode draft) {
            return List.of(draftResume(new JsonFields(draft, input.pathOf("resume"))));
        }
        return input.optionalList("resume", InputReader::resumeEntry);
    }

    /**
     * The draft dialect has no status, and may leave out the id where only one can be meant. Who names an interrupt and says
     * nothing about it lets go of it: there must be a way to.
     */
    private static ResumeEntry draftResume(JsonFields draft) {
        String id = draft.optionalText("interruptId");
        JsonNode payload = draft.optionalJson("payload");
        return payload == null && id != null && !id.isEmpty()
                ? ResumeEntry.cancelled(id)
                : new ResumeEntry(id == null ? "" : id, ResumeEntry.Status.RESOLVED, payload, null);
    }
}
