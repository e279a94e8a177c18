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
import java.util.Optional;
import java.util.Set;

/** Makes the JSON Schema of a tool's parameters, and of the answers to its approval, from LangChain4j's specification. */
final class ToolSchemas {

    private ToolSchemas() {}

    /**
     * The schema of an approval. Parameters that may be left out carry their defaults, as they will run; those that may not be
     * changed are {@code readOnly} and may be left out as well.
     */
    static ObjectNode approval(ToolSpecification tool, MethodArguments arguments, AnswerOptions options) {
        ObjectNode schema = ApprovalForm.schema(
                options.editable().flatMap(editable -> editedArgs(tool, arguments, editable)), options.respond());
        options.confirm().ifPresent(name -> ApprovalForm.requireConfirmation(schema, name));
        return schema;
    }

    static Set<String> parameterNames(ToolSpecification tool) {
        return tool.parameters() == null
                ? Set.of()
                : tool.parameters().properties().keySet();
    }

    static Optional<ObjectNode> editedArgs(ToolSpecification tool, MethodArguments arguments, Set<String> editable) {
        return parameters(tool)
                .map(parameters -> withDefaults(parameters, arguments.defaults()))
                .map(parameters -> {
                    arguments.constraints().addTo(parameters);
                    return fixed(parameters, editable);
                });
    }

    /**
     * Marks parameters that are not editable as read-only. They are optional, because the server has their values; so are
     * parameters with a default, whatever their constraints say.
     */
    private static ObjectNode fixed(ObjectNode parameters, Set<String> editable) {
        ArrayNode required = parameters.arrayNode();
        parameters.path("required").forEach(name -> {
            boolean hasDefault =
                    parameters.path("properties").path(name.asText()).has("default");
            if (editable.contains(name.asText()) && !hasDefault) {
                required.add(name);
            }
        });
        if (parameters.has("required")) {
            parameters.set("required", required);
        }
        parameters.path("properties").properties().forEach(property -> {
            if (!editable.contains(property.getKey())) {
                ((ObjectNode) property.getValue()).put("readOnly", true);
            }
        });
        return parameters;
    }

    /** The tool's own parameters, as the model is told of them. */
    static ObjectNode declared(ToolSpecification tool) {
        JsonObjectSchema declared =
                tool.parameters() == null ? JsonObjectSchema.builder().build() : tool.parameters();
        return AguiCodec.mapper().valueToTree(JsonSchemaElementUtils.toMap(declared));
    }

    /** The tool's own parameters: references inlined, objects closed; empty if a parameter is recursive. */
    static Optional<ObjectNode> parameters(ToolSpecification tool) {
        ObjectNode schema = declared(tool);
        JsonNode definitions = Optional.ofNullable(schema.remove("$defs"))
                .orElseGet(() -> AguiCodec.mapper().createObjectNode());
        try {
            ObjectNode inlined = (ObjectNode) inline(schema, definitions, new HashSet<>());
            inlined.put("additionalProperties", false);
            inlined.put("description", "Full replacement of the tool's arguments. Not merged.");
            return Optional.of(inlined);
        } catch (RecursiveSchemaException e) {
            return Optional.empty();
        }
    }

    static ObjectNode closed(ObjectNode schema) {
        try {
            return (ObjectNode) inline(schema, AguiCodec.mapper().createObjectNode(), new HashSet<>());
        } catch (RecursiveSchemaException e) {
            throw new IllegalArgumentException("the schema has references: " + schema, e);
        }
    }

    private static ObjectNode withDefaults(ObjectNode parameters, ObjectNode defaults) {
        defaults.properties().forEach(each -> {
            if (parameters.path("properties").get(each.getKey()) instanceof ObjectNode parameter) {
                parameter.set("default", each.getValue());
            }
        });
        return parameters;
    }

    private static JsonNode inline(JsonNode node, JsonNode definitions, Set<String> open)
            throws RecursiveSchemaException {
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
            return resolve(reference.textValue(), definitions, open);
        }
        ObjectNode result = object.objectNode();
        for (var entry : object.properties()) {
            result.set(entry.getKey(), inline(entry.getValue(), definitions, open));
        }
        if (result.path("type").asText().equals("object")
                && !result.path("properties").isEmpty()) {
            result.put("additionalProperties", false);
        }
        return result;
    }

    private static JsonNode resolve(String reference, JsonNode definitions, Set<String> open)
            throws RecursiveSchemaException {
        String name = reference.substring(reference.lastIndexOf('/') + 1);
        JsonNode target = definitions.get(name);
        if (target == null || !open.add(name)) {
            throw new RecursiveSchemaException();
        }
        JsonNode result = inline(target, definitions, open);
        open.remove(name);
        return result;
    }

    private static final class RecursiveSchemaException extends Exception {

        private static final long serialVersionUID = 1L;
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
