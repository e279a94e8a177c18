package io.holdpoint.demo.model;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.cfg.JsonNodeFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.langchain4j.agent.tool.ToolExecutionRequest;
import java.util.UUID;

/**
 * A tool call that a task wants.
 *
 * @param tool the tool's name
 * @param args its arguments
 * @param todo what it does, to follow "I'll"
 * @param done what it did, to follow "I"
 * @param noun what it is, to begin a sentence's subject
 */
record Call(String tool, ObjectNode args, String todo, String done, String noun) {

    private static final JsonMapper MAPPER = JsonMapper.builder()
            .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
            .disable(JsonNodeFeature.STRIP_TRAILING_BIGDECIMAL_ZEROES)
            .build();

    static ObjectNode noArgs() {
        return MAPPER.createObjectNode();
    }

    /** A request for this call with an id of its own. */
    ToolExecutionRequest request() {
        return ToolExecutionRequest.builder()
                .id("call_" + UUID.randomUUID())
                .name(tool)
                .arguments(args.toString())
                .build();
    }

    /** Whether the given request is one for this call, whatever its id and the order of its arguments. */
    boolean sameAs(ToolExecutionRequest request) {
        return tool.equals(request.name()) && parsed(args.toString()).equals(parsed(request.arguments()));
    }

    /** A JSON text as a value; a missing one if it is none. */
    static JsonNode parsed(String json) {
        try {
            return MAPPER.readTree(json);
        } catch (JsonProcessingException e) {
            return MissingNode.getInstance();
        }
    }
}
