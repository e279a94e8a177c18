package io.holdpoint.mcp;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.langchain4j.model.chat.request.json.JsonObjectSchema;
import dev.langchain4j.model.chat.request.json.JsonRawSchema;
import dev.langchain4j.model.chat.request.json.JsonSchemaElement;
import io.holdpoint.agui.AguiCodec;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** LangChain4j's form of the schemas of MCP: each argument stands there as its server describes it. */
final class Schemas {

    private Schemas() {}

    static JsonObjectSchema parameters(@Nullable Map<String, Object> schema) {
        ObjectNode json = AguiCodec.mapper().valueToTree(Objects.requireNonNullElse(schema, Map.of()));
        JsonObjectSchema.Builder object = JsonObjectSchema.builder()
                .description(json.path("description").textValue())
                .addProperties(elements(json.path("properties")))
                .required(required(json));
        if (json.path("additionalProperties").isBoolean()) {
            object.additionalProperties(json.path("additionalProperties").booleanValue());
        }
        JsonNode parts = json.has("$defs") ? json.path("$defs") : json.path("definitions");
        return object.definitions(elements(parts)).build();
    }

    /** The names of what a schema wants. */
    static List<String> required(JsonNode schema) {
        return schema.path("required").valueStream().map(JsonNode::asText).toList();
    }

    private static Map<String, JsonSchemaElement> elements(JsonNode named) {
        Map<String, JsonSchemaElement> elements = new LinkedHashMap<>();
        named.forEachEntry(
                (name, schema) -> elements.put(name, JsonRawSchema.from(schema.isObject() ? schema.toString() : "{}")));
        return elements;
    }
}
