package io.holdpoint.agui;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.UncheckedIOException;
import java.util.List;

/** Events as the proposal before AG-UI 1.0 has them, see {@link Dialect#INTERRUPTS_DRAFT}. */
final class DraftForm {

    private DraftForm() {}

    static byte[] write(Event event) {
        if (event instanceof RunEvent.Started started) {
            return bytes(started((ObjectNode) AguiCodec.toTree(started)));
        }
        return event instanceof RunEvent.Finished finished
                ? bytes(finished(finished, (ObjectNode) AguiCodec.toTree(finished)))
                : AguiCodec.writeEventBytes(event);
    }

    /** This is not what that version says. */
    private static ObjectNode started(ObjectNode event) {
        event.remove("protocolVersion");
        return event;
    }

    private static ObjectNode finished(RunEvent.Finished finished, ObjectNode event) {
        if (finished.outcome() instanceof RunFinishedOutcome.Interrupted interrupted) {
            event.put("outcome", "interrupt");
            event.set("interrupt", asked(interrupted.interrupts()));
        } else if (finished.outcome() instanceof RunFinishedOutcome.Success) {
            event.put("outcome", "success");
        } else {
            event.remove("outcome");
        }
        return event;
    }

    /** One without an id must be answered by the ids that are in it: a plain approval answers none of them. */
    private static ObjectNode asked(List<Interrupt> interrupts) {
        if (interrupts.size() == 1) {
            return asked(interrupts.get(0));
        }
        ObjectNode all = AguiCodec.mapper().createObjectNode();
        ArrayNode each = all.putObject("payload").putArray("interrupts");
        interrupts.forEach(interrupt -> each.add(asked(interrupt)));
        return all;
    }

    private static ObjectNode asked(Interrupt interrupt) {
        ObjectNode payload = (ObjectNode) AguiCodec.toTree(interrupt);
        payload.remove(List.of("id", "reason"));
        JsonNode call = payload.at("/metadata/langchain4j");
        if (interrupt.toolCallId() != null && call.has("toolName")) {
            ObjectNode proposal = payload.putObject("proposal");
            proposal.set("tool", call.get("toolName"));
            proposal.set("args", call.path("args"));
        }
        ObjectNode asked = AguiCodec.mapper().createObjectNode();
        asked.put("id", interrupt.id()).put("reason", interrupt.reason()).set("payload", payload);
        return asked;
    }

    private static byte[] bytes(ObjectNode event) {
        try {
            return AguiCodec.mapper().writeValueAsBytes(event);
        } catch (JsonProcessingException e) {
            throw new UncheckedIOException("cannot write " + event.path("type").asText(), e);
        }
    }
}
