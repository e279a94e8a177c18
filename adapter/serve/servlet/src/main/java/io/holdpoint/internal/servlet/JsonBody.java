package io.holdpoint.internal.servlet;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.holdpoint.Decision;
import io.holdpoint.ErrorCode;
import io.holdpoint.agui.Agui;
import io.holdpoint.agui.AguiCodec;
import io.holdpoint.agui.AguiFormatException;
import io.holdpoint.agui.ResumeEntry;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A body that is a JSON object with any fields, so that a client may send a whole {@code RunAgentInput} to routes that read a
 * few of them.
 */
record JsonBody(JsonNode fields) {

    private static final Logger LOG = LoggerFactory.getLogger(JsonBody.class);

    /** Reads the object. */
    static JsonBody read(byte[] json) {
        try {
            JsonNode tree = AguiCodec.mapper().readTree(json);
            if (tree != null && tree.isObject()) {
                return new JsonBody(tree);
            }
        } catch (IOException e) {
            LOG.debug("A body that is no JSON", e);
        }
        throw new Refusal(ErrorCode.INPUT_INVALID, "The body must be a JSON object.");
    }

    /** Gives a field that must be there. */
    String text(String field) {
        JsonNode value = fields.path(field);
        if (!value.isTextual()) {
            throw new Refusal(ErrorCode.INPUT_INVALID, field + ": must be a text. Send {\"" + field + "\": \"...\"}.");
        }
        return value.textValue();
    }

    /** Gives the thread, whose id must be one. */
    String threadId() {
        String id = text("threadId");
        if (!Agui.isId(id)) {
            throw new Refusal(
                    ErrorCode.INPUT_INVALID,
                    "threadId: must have 1 to " + Agui.MAX_ID_LENGTH
                            + " characters, no control characters and no unpaired surrogates.");
        }
        return id;
    }

    /** Gives a field that may be left out. */
    Optional<String> optionalText(String field) {
        return fields.hasNonNull(field) ? Optional.of(text(field)) : Optional.empty();
    }

    /** Gives the answer to one interrupt: {@code interruptId}, {@code status} and {@code payload}, read as in a {@code resume}. */
    ResumeEntry answer() {
        ObjectNode input =
                AguiCodec.mapper().createObjectNode().put("threadId", "t").put("runId", "r");
        input.putArray("messages");
        ObjectNode entry = input.putArray("resume").addObject();
        for (String field : List.of("interruptId", "status", "payload")) {
            Optional.ofNullable(fields.get(field)).ifPresent(value -> entry.set(field, value));
        }
        try {
            return AguiCodec.readRunAgentInput(input.toString()).resume().get(0);
        } catch (AguiFormatException e) {
            throw new Refusal(
                    ErrorCode.INPUT_INVALID, String.valueOf(e.getMessage()).replace("resume[0].", ""));
        }
    }

    /** Gives a list of answers, each with its {@code threadId}, and the {@code fingerprint} of what was shown, if it names one. */
    List<Decision> decisions() {
        JsonNode list = fields.path("decisions");
        if (!list.isArray()) {
            throw new Refusal(ErrorCode.INPUT_INVALID, "decisions: must be a list of answers, each with its threadId");
        }
        List<Decision> decisions = new ArrayList<>();
        for (JsonNode each : list) {
            try {
                JsonBody one = new JsonBody(each);
                Optional<String> shown =
                        each.hasNonNull("fingerprint") ? Optional.of(one.text("fingerprint")) : Optional.empty();
                decisions.add(new Decision(one.text("threadId"), one.answer(), shown));
            } catch (Refusal e) {
                throw new Refusal(ErrorCode.INPUT_INVALID, "decisions[" + decisions.size() + "]." + e.getMessage());
            }
        }
        return decisions;
    }

    /** The version of the protocol that the client speaks; {@code null} if it does not say so. */
    @Nullable
    String protocolVersion() {
        return fields.path("protocolVersion").textValue();
    }
}
