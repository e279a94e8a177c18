package io.holdpoint.internal.gate;

import static dev.langchain4j.service.IllegalConfigurationException.illegalConfiguration;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.langchain4j.agent.tool.ToolSpecification;
import dev.langchain4j.internal.JsonSchemaElementUtils;
import dev.langchain4j.model.chat.request.json.JsonObjectSchema;
import io.holdpoint.agui.AguiCodec;
import io.holdpoint.internal.gate.Policy.AnswerOptions;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Makes the JSON Schema of a tool's parameters, and of the answers to its approval, from LangChain4j's specification. */
public final class ToolSchemas {

    /** The keywords that LangChain4j gives an object. */
    private static final Set<String> OF_OBJECTS = Set.of("type", "description", "properties", "required");

    private ToolSchemas() {}

    /**
     * The schema of an approval. Parameters that may be left out carry their defaults, as they will run; those that may not be
     * changed are {@code readOnly} and may be left out as well.
     */
    static ObjectNode approval(ToolSpecification tool, MethodArguments arguments, AnswerOptions options) {
        Set<String> editable = options.editable().orElse(null);
        return ApprovalForm.schema(
                editable == null ? Optional.empty() : Optional.of(editedArgs(tool, arguments, editable)),
                options.respond());
    }

    /** The same arguments in the order in which their tool declares them; others come last. */
    static ObjectNode inOrder(ToolSpecification tool, ObjectNode arguments) {
        ObjectNode ordered = arguments.objectNode();
        for (String name : parameterNames(tool)) {
            if (arguments.has(name)) {
                ordered.set(name, arguments.get(name));
            }
        }
        for (Map.Entry<String, JsonNode> argument : arguments.properties()) {
            ordered.putIfAbsent(argument.getKey(), argument.getValue());
        }
        return ordered;
    }

    public static Set<String> parameterNames(ToolSpecification tool) {
        return tool.parameters() == null
                ? Set.of()
                : tool.parameters().properties().keySet();
    }

    static ObjectNode editedArgs(ToolSpecification tool, MethodArguments arguments, Set<String> editable) {
        ObjectNode parameters = parameters(arguments.isOfNoMethod() ? known(tool) : declared(tool));
        arguments.constraints().addTo(withDefaults(parameters, arguments.defaults()));
        return fixed(parameters, editable);
    }

    /**
     * Marks parameters, and parts of them, that are not editable as read-only. They are optional, because the server has their values; so
     * are parameters with a default, whatever their constraints say.
     */
    private static ObjectNode fixed(ObjectNode parameters, Set<String> editable) {
        ArrayNode required = parameters.arrayNode();
        for (Map.Entry<String, JsonNode> property :
                parameters.path("properties").properties()) {
            String name = property.getKey();
            ObjectNode parameter = (ObjectNode) property.getValue();
            Set<String> parts = ArgumentPath.below(name, editable);
            boolean isFixed = !editable.contains(name) && parts.isEmpty();
            if (isFixed) {
                parameter.put("readOnly", true);
            } else if (!editable.contains(name)) {
                fixed(parameter, parts);
            }
            if (!isFixed && !parameter.has("default") && ArgumentPath.isRequired(parameters, name)) {
                required.add(name);
            }
        }
        if (parameters.has("required")) {
            parameters.set("required", required);
        }
        return parameters;
    }

    /** The tool's own parameters, as the model is told of them. */
    static ObjectNode declared(ToolSpecification tool) {
        JsonObjectSchema declared =
                tool.parameters() == null ? JsonObjectSchema.builder().build() : tool.parameters();
        return AguiCodec.mapper().valueToTree(JsonSchemaElementUtils.toMap(declared));
    }

    /**
     * The parameters of a tool that is no method, as far as they are known. LangChain4j's MCP client reads what it does not know
     * ({@code oneOf}, {@code const}, no {@code type}) as an object without properties: such a value may be anything, and so may one whose
     * reference leads nowhere.
     */
    static ObjectNode known(ToolSpecification tool) {
        ObjectNode declared = declared(tool);
        ObjectNode known = declared.objectNode();
        declared.properties()
                .forEach(keyword -> known.set(
                        keyword.getKey(), known(keyword.getKey(), keyword.getValue(), declared.path("$defs"))));
        return known;
    }

    private static ObjectNode known(ObjectNode schema, JsonNode definitions) {
        JsonNode reference = schema.path("$ref");
        boolean isUnread = schema.path("type").asText().equals("object")
                && schema.path("properties").isEmpty()
                && schema.properties().stream().allMatch(keyword -> OF_OBJECTS.contains(keyword.getKey()));
        if (isUnread || reference.isTextual() && !definitions.has(definition(reference.textValue()))) {
            ObjectNode anything = schema.objectNode();
            Optional.ofNullable(schema.get("description")).ifPresent(text -> anything.set("description", text));
            return anything;
        }
        ObjectNode known = schema.objectNode();
        schema.properties()
                .forEach(keyword ->
                        known.set(keyword.getKey(), known(keyword.getKey(), keyword.getValue(), definitions)));
        return known;
    }

    private static JsonNode known(String keyword, JsonNode value, JsonNode definitions) {
        switch (keyword) {
            case "properties", "$defs" -> {
                ObjectNode schemas = AguiCodec.mapper().createObjectNode();
                value.properties()
                        .forEach(each -> schemas.set(
                                each.getKey(),
                                each.getValue() instanceof ObjectNode schema
                                        ? known(schema, definitions)
                                        : each.getValue()));
                return schemas;
            }
            case "items" -> {
                return value instanceof ObjectNode schema ? known(schema, definitions) : value;
            }
            case "anyOf" -> {
                ArrayNode schemas = AguiCodec.mapper().createArrayNode();
                value.forEach(
                        each -> schemas.add(each instanceof ObjectNode schema ? known(schema, definitions) : each));
                return schemas;
            }
            default -> {
                return value;
            }
        }
    }

    /** Parameters as a form shows them: references inlined, objects closed. A type that contains itself is open from there on. */
    private static ObjectNode parameters(ObjectNode schema) {
        JsonNode removed = schema.remove("$defs");
        JsonNode definitions = removed == null ? schema.objectNode() : removed;
        ObjectNode inlined = (ObjectNode) inline(schema, definitions, new HashSet<>());
        inlined.put("additionalProperties", false);
        inlined.put("description", "Full replacement of the tool's arguments. Not merged.");
        return inlined;
    }

    /** A schema without references, with its objects closed. */
    public static ObjectNode closed(ObjectNode schema) {
        return (ObjectNode) inline(schema, AguiCodec.mapper().createObjectNode(), new HashSet<>());
    }

    private static ObjectNode withDefaults(ObjectNode parameters, ObjectNode defaults) {
        for (Map.Entry<String, JsonNode> each : defaults.properties()) {
            if (parameters.path("properties").get(each.getKey()) instanceof ObjectNode parameter) {
                parameter.set("default", each.getValue());
            }
        }
        return parameters;
    }

    private static JsonNode inline(JsonNode node, JsonNode definitions, Set<String> open) {
        if (node instanceof ArrayNode array) {
            ArrayNode result = array.arrayNode();
            for (JsonNode element : array) {
                result.add(inline(element, definitions, open));
            }
            return result;
        }
        if (!(node instanceof ObjectNode object)) {
            return node;
        }
        JsonNode reference = object.get("$ref");
        if (reference != null && reference.isTextual()) {
            return resolve(definition(reference.textValue()), definitions, open);
        }
        ObjectNode result = object.objectNode();
        for (var entry : object.properties()) {
            result.set(entry.getKey(), inline(entry.getValue(), definitions, open));
        }
        if (result.path("type").asText().equals("object")
                && !result.path("properties").isEmpty()
                && !result.has("additionalProperties")) {
            result.put("additionalProperties", false);
        }
        return result;
    }

    private static JsonNode resolve(String name, JsonNode definitions, Set<String> open) {
        JsonNode target = definitions.get(name);
        if (target == null || !open.add(name)) {
            return AguiCodec.mapper().createObjectNode(); // the tool's own check says what is taken here
        }
        JsonNode result = inline(target, definitions, open);
        open.remove(name);
        return result;
    }

    private static String definition(String reference) {
        return reference.replaceFirst("^#/[$]defs/", "");
    }

    /** Refuses a path that leads to no parameter of a tool and to no part of one, as far as its parameters are known. */
    public static void requirePart(String path, ToolSpecification tool, String where, String format) {
        Set<String> parameters = parameterNames(tool);
        if (parameters.isEmpty() || !ArgumentPath.isDeclared(parameters(declared(tool)), path)) {
            requireParameter(path, parameters, where, format);
        }
    }

    /** Checks whether every call has a value of one of these types at the end of a path. */
    public static boolean isRequired(String path, Set<String> types, ToolSpecification tool) {
        return ArgumentPath.required(parameters(declared(tool)), path)
                .filter(part -> types.contains(part.path("type").asText()))
                .isPresent();
    }

    /** Refuses a part that cannot be edited alone: only the parts of objects can. */
    static void requireEditable(String path, ToolSpecification tool, String where, String format) {
        requirePart(path, tool, where, format);
        if (!ArgumentPath.isOfObjects(parameters(declared(tool)), path)) {
            throw illegalConfiguration(
                    "%s: editable names \"%s\", a part of a list or of a value of several types. Name the argument itself.",
                    where, path);
        }
    }

    /** Refuses a name that is no parameter of a tool; the format takes the place, the name and the parameters. */
    static void requireParameter(String name, Set<String> parameters, String where, String format) {
        if (!parameters.contains(name)) {
            throw illegalConfiguration(
                    format
                            + " Use one of them (compile with -parameters and run mvn clean once, or name parameters with"
                            + " @P(name = ...)).",
                    where,
                    name,
                    parameters);
        }
    }
}
