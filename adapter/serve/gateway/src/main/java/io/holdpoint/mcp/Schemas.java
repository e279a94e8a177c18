package io.holdpoint.mcp;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.langchain4j.model.chat.request.json.JsonArraySchema;
import dev.langchain4j.model.chat.request.json.JsonBooleanSchema;
import dev.langchain4j.model.chat.request.json.JsonEnumSchema;
import dev.langchain4j.model.chat.request.json.JsonIntegerSchema;
import dev.langchain4j.model.chat.request.json.JsonNumberSchema;
import dev.langchain4j.model.chat.request.json.JsonObjectSchema;
import dev.langchain4j.model.chat.request.json.JsonRawSchema;
import dev.langchain4j.model.chat.request.json.JsonSchemaElement;
import dev.langchain4j.model.chat.request.json.JsonStringSchema;
import io.holdpoint.agui.AguiCodec;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** LangChain4j's form of the schemas of MCP: what it has no form for, such as a pattern or a least value, stands there as it is. */
final class Schemas {

    /** The keywords of a value, or of a list, for which LangChain4j has a form. */
    private static final Set<String> KNOWN = Set.of("type", "description", "items");

    private Schemas() {}

    static JsonObjectSchema parameters(@Nullable Map<String, Object> schema) {
        ObjectNode json = schema == null
                ? AguiCodec.mapper().createObjectNode()
                : AguiCodec.mapper().valueToTree(schema);
        return object(json);
    }

    private static JsonObjectSchema object(JsonNode json) {
        JsonObjectSchema.Builder object = JsonObjectSchema.builder().description(description(json));
        json.path("properties")
                .properties()
                .forEach(each -> object.addProperty(each.getKey(), element(each.getValue())));
        object.required(texts(json.path("required")));
        if (json.path("additionalProperties").isBoolean()) {
            object.additionalProperties(json.path("additionalProperties").booleanValue());
        }
        JsonNode parts = json.has("$defs") ? json.path("$defs") : json.path("definitions");
        if (parts.isObject()) {
            object.definitions(parts.propertyStream()
                    .collect(Collectors.toMap(Map.Entry::getKey, each -> element(each.getValue()))));
        }
        return object.build();
    }

    private static JsonSchemaElement element(JsonNode json) {
        if (!json.isObject()) { // true, and what is no schema
            return JsonRawSchema.from("{}");
        }
        if (!json.path("enum").isEmpty() && json.path("enum").valueStream().allMatch(JsonNode::isTextual)) {
            return JsonEnumSchema.builder()
                    .description(description(json))
                    .enumValues(texts(json.path("enum")))
                    .build();
        }
        boolean isPlain =
                KNOWN.containsAll(json.propertyStream().map(Map.Entry::getKey).toList());
        return switch (isPlain || json.has("properties") ? json.path("type").asText() : "") {
            case "string" ->
                JsonStringSchema.builder().description(description(json)).build();
            case "integer" ->
                JsonIntegerSchema.builder().description(description(json)).build();
            case "number" ->
                JsonNumberSchema.builder().description(description(json)).build();
            case "boolean" ->
                JsonBooleanSchema.builder().description(description(json)).build();
            case "array" -> {
                JsonArraySchema.Builder array = JsonArraySchema.builder().description(description(json));
                if (json.path("items").isObject() && !json.path("items").isEmpty()) {
                    array.items(element(json.path("items")));
                }
                yield array.build();
            }
            case "object" -> json.has("properties") ? object(json) : JsonRawSchema.from(json.toString());
            default -> JsonRawSchema.from(json.toString());
        };
    }

    private static List<String> texts(JsonNode array) {
        return array.valueStream().map(JsonNode::asText).toList();
    }

    private static @Nullable String description(JsonNode json) {
        return json.path("description").textValue();
    }
}
