package io.holdpoint.demo.e2e;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.stream.StreamSupport;

/** Arguments a model could write for a tool, made from the parameter schema it was offered. */
final class SampleArguments {

    private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

    private SampleArguments() {}

    /**
     * JSON text for the tool of that name.
     *
     * @throws IllegalArgumentException if the request offers no such tool
     */
    static String of(JsonNode request, String tool) {
        JsonNode parameters = StreamSupport.stream(request.path("tools").spliterator(), false)
                .map(offered -> offered.path("function"))
                .filter(function -> function.path("name").asText().equals(tool))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException(tool + " is not offered: " + request.path("tools")))
                .path("parameters");
        return value(parameters).toString();
    }

    private static JsonNode value(JsonNode schema) {
        if (schema.has("enum")) {
            return schema.at("/enum/0");
        }
        return switch (schema.path("type").asText()) {
            case "integer", "number" -> JSON.numberNode(1);
            case "boolean" -> JSON.booleanNode(true);
            case "array" -> JSON.arrayNode().add(value(schema.path("items")));
            case "object" -> object(schema);
            default -> JSON.textNode("ada@example.com"); // a text, and an address where one is asked for
        };
    }

    private static ObjectNode object(JsonNode schema) {
        ObjectNode object = JSON.objectNode();
        schema.path("properties")
                .properties()
                .forEach(property -> object.set(property.getKey(), value(property.getValue())));
        return object;
    }
}
