package io.holdpoint.mcp;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.langchain4j.agent.tool.ToolSpecification;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Schemas of the shapes that the tools of MCP servers have, as LangChain4j's client reads them. */
public final class ServerSchemas {

    private static final JsonNodeFactory JSON = JsonNodeFactory.instance;
    private static final Method READ = reader();

    private ServerSchemas() {}

    /** The schema of a tool's arguments, and arguments that fit it. */
    public record Sample(ObjectNode schema, ObjectNode arguments) {}

    private static Method reader() {
        try {
            Method reader = Class.forName("dev.langchain4j.mcp.client.ToolSpecificationHelper")
                    .getDeclaredMethod("toolSpecificationListFromMcpResponse", ArrayNode.class);
            reader.setAccessible(true);
            return reader;
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("LangChain4j's client reads schemas in another way", e);
        }
    }

    /** Reads a tool as the client does. */
    public static ToolSpecification read(String name, ObjectNode inputSchema) {
        ObjectNode tool = JSON.objectNode().put("name", name);
        tool.set("inputSchema", inputSchema);
        try {
            return (ToolSpecification)
                    ((List<?>) READ.invoke(null, JSON.arrayNode().add(tool))).get(0);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(inputSchema.toString(), e);
        }
    }

    /** An answer as it is checked: without the {@code null} of what may be left out. */
    public static JsonNode withoutOptionalNulls(JsonNode schema, JsonNode value) {
        if (!(value instanceof ObjectNode object)) {
            return value;
        }
        ObjectNode kept = JSON.objectNode();
        object.properties().forEach(field -> {
            JsonNode declared = schema.path("properties").path(field.getKey());
            boolean isRequired = schema.path("required").valueStream().anyMatch(name -> name.asText()
                    .equals(field.getKey()));
            if (!field.getValue().isNull() || isRequired || declared.isMissingNode()) {
                kept.set(field.getKey(), withoutOptionalNulls(declared, field.getValue()));
            }
        });
        return kept;
    }

    /** Arguments that a schema may allow: the least, all, and all with each alternative of every choice. */
    public static List<ObjectNode> argumentsFor(ObjectNode schema) {
        List<ObjectNode> all = new ArrayList<>();
        all.add((ObjectNode) value(schema, schema, 0, 1, false));
        for (int choice = 0; choice < 4; choice++) {
            all.add((ObjectNode) value(schema, schema, choice, 6, true));
        }
        ObjectNode further = all.get(1).deepCopy();
        all.add(further.put("further", "text"));
        return all.stream().distinct().toList();
    }

    private static JsonNode value(JsonNode schema, JsonNode root, int choice, int depth, boolean whole) {
        if (schema.path("$ref").isTextual()) {
            JsonNode target = root.at(schema.get("$ref").textValue().substring(1));
            return depth <= 0 ? JSON.objectNode() : value(target, root, choice, depth - 1, whole);
        }
        for (String keyword : List.of("anyOf", "oneOf", "allOf")) {
            if (schema.path(keyword).isArray() && !schema.has("properties")) {
                JsonNode alternatives = schema.get(keyword);
                return value(alternatives.path(choice % alternatives.size()), root, choice, depth - 1, whole);
            }
        }
        if (schema.has("const")) {
            return schema.get("const");
        }
        if (schema.path("enum").isArray()) {
            return schema.get("enum").get(choice % schema.get("enum").size());
        }
        String type = schema.path("type").isArray()
                ? schema.get("type").get(choice % schema.get("type").size()).asText()
                : schema.path("type").asText(schema.has("properties") ? "object" : "any");
        switch (type) {
            case "object":
                ObjectNode object = JSON.objectNode();
                for (var property : schema.path("properties").properties()) {
                    boolean isRequired = schema.path("required").valueStream().anyMatch(name -> name.asText()
                            .equals(property.getKey()));
                    if (isRequired || whole && depth > 0) {
                        object.set(property.getKey(), value(property.getValue(), root, choice, depth - 1, whole));
                    }
                }
                if (schema.path("additionalProperties").isObject() && whole) {
                    object.set("further", value(schema.get("additionalProperties"), root, choice, depth - 1, whole));
                }
                return object;
            case "array":
                ArrayNode array = JSON.arrayNode();
                for (int i = Math.max(schema.path("minItems").asInt(), whole && depth > 0 ? 1 : 0); i > 0; i--) {
                    array.add(value(schema.path("items"), root, choice, depth - 1, whole));
                }
                return array;
            case "integer":
            case "number":
                return JSON.numberNode(Math.max(
                        schema.path("minimum").asInt(1),
                        schema.path("exclusiveMinimum").asInt(0) + 1));
            case "boolean":
                return JSON.booleanNode(choice % 2 == 0);
            case "null":
                return JSON.nullNode();
            case "string":
                return switch (schema.path("format").asText()) {
                    case "uuid" -> JSON.textNode("6f1b1cf2-0c7e-4dc6-8b5e-3d2a1f0e9c8b");
                    case "uri" -> JSON.textNode("https://example.com/");
                    case "date" -> JSON.textNode("2026-01-02");
                    default ->
                        JSON.textNode("text".repeat(1 + schema.path("minLength").asInt() / 4));
                };
            default:
                return List.of(
                                JSON.textNode("any"),
                                JSON.numberNode(5),
                                JSON.arrayNode().add(1),
                                JSON.objectNode().put("a", 1))
                        .get(choice);
        }
    }

    /** Makes a tool with the number {@code n} among its arguments, and a call of it. */
    public static Sample sample(long seed) {
        Random random = new Random(seed);
        Sample made = object(random, 3);
        made.schema().withObject("/properties").putObject("n").put("type", "integer");
        made.arguments().put("n", 1);
        ObjectNode tree = made.schema().withObject("/$defs").putObject("Tree").put("type", "object");
        ObjectNode members = tree.putObject("properties");
        members.putObject("name").put("type", "string");
        members.putObject("children").put("type", "array").putObject("items").put("$ref", "#/$defs/Tree");
        return made;
    }

    private static Sample object(Random random, int depth) {
        ObjectNode schema = JSON.objectNode().put("type", "object");
        ObjectNode properties = schema.putObject("properties");
        ArrayNode required = JSON.arrayNode();
        ObjectNode value = JSON.objectNode();
        for (int i = random.nextInt(4); i > 0; i--) {
            String name = "p" + i;
            Part part = part(random, depth - 1);
            properties.set(name, part.schema());
            switch (random.nextInt(4)) {
                case 0 -> {}
                case 1 -> {
                    required.add(name);
                    value.set(name, part.value());
                }
                default -> value.set(name, part.value());
            }
        }
        if (!required.isEmpty()) {
            schema.set("required", required);
        }
        switch (random.nextInt(4)) {
            case 0 -> schema.put("additionalProperties", false);
            case 1 -> {
                schema.putObject("additionalProperties").put("type", "string");
                value.put("further", "text");
            }
            case 2 -> value.set("further", part(random, depth - 1).value());
            default -> {}
        }
        return new Sample(schema, value);
    }

    private record Part(ObjectNode schema, JsonNode value) {}

    private static Part part(Random random, int depth) {
        ObjectNode schema = JSON.objectNode();
        switch (random.nextInt(depth > 0 ? 16 : 11)) {
            case 0:
                return new Part(
                        schema.put("type", "string").put("minLength", 1).put("pattern", "^[a-z]+$"),
                        JSON.textNode("abc"));
            case 1:
                return new Part(schema.put("type", "integer").put("minimum", 1), JSON.numberNode(7));
            case 2:
                return new Part(schema.put("type", "number").put("default", 1.5), JSON.numberNode(2.5));
            case 3:
                return new Part(schema.put("type", "boolean"), JSON.booleanNode(true));
            case 4:
                schema.put("type", "string").putArray("enum").add("low").add("high");
                return new Part(schema, JSON.textNode("high"));
            case 5:
                schema.putArray("enum").add(1).add("two");
                return new Part(schema, JSON.numberNode(1));
            case 6:
                return new Part(schema.put("const", "fixed"), JSON.textNode("fixed"));
            case 7:
                return new Part(schema.put("title", "Any"), any(random));
            case 8:
                schema.putArray("type").add("string").add("null");
                return new Part(schema, random.nextBoolean() ? JSON.nullNode() : JSON.textNode("text"));
            case 9:
                return new Part(schema.put("type", "object"), JSON.objectNode().put("a", 1));
            case 10:
                return new Part(schema.put("$ref", "#/properties/n"), JSON.numberNode(3));
            case 11:
                Sample object = object(random, depth);
                return new Part(object.schema(), object.arguments());
            case 12:
                Part element = part(random, depth - 1);
                schema.put("type", "array").set("items", element.schema());
                ArrayNode elements = JSON.arrayNode();
                for (int i = random.nextInt(3); i > 0; i--) {
                    elements.add(element.value());
                }
                return new Part(schema, elements);
            case 13:
                Part one = part(random, depth - 1);
                Part other = part(random, depth - 1);
                schema.putArray(random.nextBoolean() ? "oneOf" : "anyOf")
                        .add(one.schema())
                        .add(other.schema());
                return new Part(schema, random.nextBoolean() ? one.value() : other.value());
            case 14:
                Part all = part(random, depth - 1);
                schema.putArray("allOf").add(all.schema());
                return new Part(schema, all.value());
            default:
                ObjectNode leaf = JSON.objectNode().put("name", "leaf").put("extra", 1);
                ObjectNode tree = JSON.objectNode().put("name", "root");
                tree.putArray("children")
                        .add(leaf.deepCopy().set("children", JSON.arrayNode().add(leaf)));
                return new Part(schema.put("$ref", "#/$defs/Tree"), tree);
        }
    }

    private static JsonNode any(Random random) {
        return switch (random.nextInt(5)) {
            case 0 -> JSON.numberNode(random.nextInt());
            case 1 -> JSON.textNode("any");
            case 2 -> JSON.arrayNode().add(1).add("a").addNull();
            case 3 -> JSON.objectNode().put("a", true);
            default -> JSON.booleanNode(false);
        };
    }
}
