package io.holdpoint.mcp;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.langchain4j.model.chat.request.json.JsonObjectSchema;
import dev.langchain4j.model.chat.request.json.JsonRawSchema;
import dev.langchain4j.model.chat.request.json.JsonSchemaElement;
import io.holdpoint.agui.AguiCodec;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** LangChain4j's form of the schemas of MCP: each argument stands there as its server describes it. */
final class Schemas {

    private Schemas() {}

    static JsonObjectSchema parameters(@Nullable Map<String, Object> schema) {
        ObjectNode json = schema == null
                ? AguiCodec.mapper().createObjectNode()
                : AguiCodec.mapper().valueToTree(schema);
        JsonObjectSchema.Builder object = JsonObjectSchema.builder()
                .description(json.path("description").textValue())
                .addProperties(elements(json.path("properties")))
                .required(json.path("required")
                        .valueStream()
                        .map(JsonNode::asText)
                        .toList());
        if (json.path("additionalProperties").isBoolean()) {
            object.additionalProperties(json.path("additionalProperties").booleanValue());
        }
        JsonNode parts = json.has("$defs") ? json.path("$defs") : json.path("definitions");
        return object.definitions(elements(parts)).build();
    }

    private static Map<String, JsonSchemaElement> elements(JsonNode named) {
        return named.propertyStream()
                .collect(Collectors.toMap(
                        Map.Entry::getKey,
                        each -> JsonRawSchema.from(
                                each.getValue().isObject() ? each.getValue().toString() : "{}"),
                        (one, other) -> one,
                        LinkedHashMap::new));
    }
}
