package io.holdpoint.internal.gate;

import dev.langchain4j.agent.tool.ToolExecutionRequest;
import dev.langchain4j.agent.tool.ToolSpecification;
import dev.langchain4j.internal.JsonSchemaElementJsonUtils;
import dev.langchain4j.model.chat.request.json.JsonObjectSchema;
import dev.langchain4j.model.chat.request.json.JsonSchemaElement;
import dev.langchain4j.service.tool.ToolExecutor;
import io.holdpoint.agui.AguiCodec;
import io.holdpoint.agui.ClientToolSpec;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Stands where a tool of the client has no executor. It is recognised at the gate, and never executed here. Immutable.
 */
public final class ClientTool implements ToolExecutor {

    /** What all providers take. */
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9_-]{1,64}");

    private static final Logger LOG = LoggerFactory.getLogger(ClientTool.class);

    /** There is nothing to tell one from another. */
    public static final ClientTool INSTANCE = new ClientTool();

    private ClientTool() {}

    @Override
    public String execute(ToolExecutionRequest request, Object memoryId) {
        throw new IllegalStateException(
                "The tool \"" + request.name() + "\" is the client's and is not executed here.");
    }

    /**
     * What the model is told of the tools of an input.
     *
     * @param tools as the client declares them
     * @return the specifications of those that a model can be told of
     */
    public static List<ToolSpecification> specifications(List<ClientToolSpec> tools) {
        return tools.stream().flatMap(tool -> specification(tool).stream()).toList();
    }

    /**
     * What the model is told of a tool.
     *
     * @param tool as the client declares it
     * @return the specification; empty if no model can be told of it, which is logged
     */
    private static Optional<ToolSpecification> specification(ClientToolSpec tool) {
        if (!NAME.matcher(tool.name()).matches()) {
            LOG.warn("A tool of the client is left out: its name must be 1 to 64 letters, digits, _ or -");
            return Optional.empty();
        }
        try {
            return Optional.of(ToolSpecification.builder()
                    .name(tool.name())
                    .description(tool.description())
                    .parameters(parameters(tool))
                    .build());
        } catch (RuntimeException e) {
            LOG.warn(
                    "The tool \"{}\" of the client is left out: its parameters are no usable schema: {}",
                    tool.name(),
                    e.toString());
            return Optional.empty();
        }
    }

    private static JsonObjectSchema parameters(ClientToolSpec tool) {
        if (tool.parameters() == null || tool.parameters().isEmpty()) {
            return JsonObjectSchema.builder().build();
        }
        @SuppressWarnings("unchecked")
        Map<String, Object> schema = AguiCodec.mapper().convertValue(tool.parameters(), Map.class);
        JsonSchemaElement element = JsonSchemaElementJsonUtils.fromMap(schema);
        return element instanceof JsonObjectSchema object ? object : propertiesOf(schema);
    }

    /** A schema that says more than LangChain4j's: of the object itself, what it can say; of its properties, everything. */
    @SuppressWarnings("unchecked")
    private static JsonObjectSchema propertiesOf(Map<String, Object> schema) {
        JsonObjectSchema.Builder builder = JsonObjectSchema.builder();
        ((Map<String, Map<String, Object>>) schema.getOrDefault("properties", Map.of()))
                .forEach((name, property) -> builder.addProperty(name, JsonSchemaElementJsonUtils.fromMap(property)));
        if (schema.get("required") instanceof List<?> required) {
            builder.required(required.stream().map(String::valueOf).toList());
        }
        return builder.build();
    }
}
