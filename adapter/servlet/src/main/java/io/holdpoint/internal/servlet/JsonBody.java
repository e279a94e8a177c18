package io.holdpoint.internal.servlet;

import com.fasterxml.jackson.databind.JsonNode;
import io.holdpoint.ErrorCode;
import io.holdpoint.agui.AguiCodec;
import java.io.IOException;
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

    /** The version of the protocol that the client speaks; {@code null} if it does not say so. */
    @Nullable
    String protocolVersion() {
        return fields.path("protocolVersion").textValue();
    }
}
