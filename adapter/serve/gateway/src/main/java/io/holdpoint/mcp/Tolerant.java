package io.holdpoint.mcp;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JavaType;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.modelcontextprotocol.json.jackson2.JacksonMcpJsonMapper;
import java.math.BigInteger;
import java.util.Collections;
import java.util.Map;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads a line that is no message, such as one of a log, as progress of nothing. The SDK reads no further behind a line that it cannot read, and says so
 * to nobody.
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

    private Tolerant() {
        super(Results.JSON);
    }

    static JacksonMcpJsonMapper mapper() {
        return new JacksonMcpJsonMapper(new Tolerant());
    }

    @Override
    public <T> T readValue(String line, JavaType type) throws JsonProcessingException {
        try {
            T read = super.readValue(line, type);
            if (read instanceof Map<?, ?> message && isMessage(message)) {
                return read;
            }
        } catch (JsonProcessingException | NumberFormatException e) { // the latter of an exponent out of range
            LOG.debug("A line is no message", e);
        }
        return super.readValue(NOTHING, type);
    }

    private static boolean isMessage(Map<?, ?> read) {
        Object id = read.get("id");
        return !Collections.disjoint(read.keySet(), MEMBERS)
                && (!read.containsKey("id") || id != null && IDS.contains(id.getClass()))
                && (!read.containsKey("method") || read.get("method") instanceof String);
    }
}
