package io.holdpoint.mcp;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JavaType;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.modelcontextprotocol.json.jackson2.JacksonMcpJsonMapper;
import io.modelcontextprotocol.spec.McpSchema;
import java.math.BigInteger;
import java.util.Collections;
import java.util.Map;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads as progress of nothing what the SDK is not to hear. That is what is no message, such as a line of a log: it reads no further behind that, and
 * says so to nobody. And that tools have changed: for each such message it would list them at once, and follow the list without an end. A result that
 * is a question, which there is since 2026-07-28, becomes an error: the SDK reads it as a success without words.
 */
final class Tolerant extends ObjectMapper {

    private static final long serialVersionUID = 1L;

    private static final Logger LOG = LoggerFactory.getLogger(Tolerant.class);

    /** Each message has one of them. */
    private static final Set<String> MEMBERS = Set.of("method", "result", "error");

    /** The types of a message's id, if it has one. */
    private static final Set<Class<?>> IDS = Set.of(String.class, Integer.class, Long.class, BigInteger.class);

    private static final String NOTHING = "{\"jsonrpc\": \"2.0\", \"method\":"
            + " \"notifications/progress\", \"params\": {\"progressToken\": \"\", \"progress\": 0}}";

    private final transient Runnable toolsChanged;

    private Tolerant(Runnable toolsChanged) {
        super(Results.JSON);
        this.toolsChanged = toolsChanged;
    }

    static JacksonMcpJsonMapper mapper(Runnable toolsChanged) {
        return new JacksonMcpJsonMapper(new Tolerant(toolsChanged));
    }

    @Override
    @SuppressWarnings("unchecked") // the SDK reads each message as a map first
    public <T> T readValue(String line, JavaType type) throws JsonProcessingException {
        try {
            Map<String, Object> message = Results.JSON.readValue(line, type);
            if (message != null && isMessage(message)) {
                refuseQuestion(message);
                if (!McpSchema.METHOD_NOTIFICATION_TOOLS_LIST_CHANGED.equals(message.get("method"))) {
                    return (T) message;
                }
                toolsChanged.run();
            }
        } catch (JsonProcessingException e) {
            LOG.debug("A line is no message", e);
        }
        return super.readValue(NOTHING, type);
    }

    private static void refuseQuestion(Map<String, Object> message) {
        Object kind = message.get("result") instanceof Map<?, ?> result ? result.get("resultType") : null;
        if (kind != null && !kind.equals("complete")) {
            String why = "it asks its user, which is not passed on (" + kind + ")";
            message.put("error", Map.of("code", McpSchema.ErrorCodes.INVALID_REQUEST, "message", why));
            message.remove("result");
        }
    }

    private static boolean isMessage(Map<?, ?> read) {
        Object id = read.get("id");
        return !Collections.disjoint(read.keySet(), MEMBERS)
                && (!read.containsKey("id") || id != null && IDS.contains(id.getClass()))
                && (!read.containsKey("method") || read.get("method") instanceof String);
    }
}
