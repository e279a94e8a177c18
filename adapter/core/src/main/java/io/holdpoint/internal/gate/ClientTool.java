package io.holdpoint.internal.gate;

import dev.langchain4j.agent.tool.ToolExecutionRequest;
import dev.langchain4j.agent.tool.ToolSpecification;
import dev.langchain4j.internal.JsonSchemaElementJsonUtils;
import dev.langchain4j.model.chat.request.json.JsonObjectSchema;
import dev.langchain4j.model.chat.request.json.JsonSchemaElement;
import dev.langchain4j.service.tool.AiServiceTool;
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
 * Stands where LangChain4j expects the executor of a tool that the client executes. The gate recognises it; it is never
 * executed here. Immutable.
 */
public final class ClientTool implements ToolExecutor {

    /** The names that all providers take. */
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9_-]{1,64}");

    private static final Logger LOG = LoggerFactory.getLogger(ClientTool.class);

    /** The only one: the tools of clients need no executors of their own. */
    public static final ClientTool INSTANCE = new ClientTool();

    private ClientTool() {}

    @Override
    public String execute(ToolExecutionRequest request, Object memoryId) {
        throw new IllegalStateException(
                "The tool \"" + request.name() + "\" is the client's and is not executed here.");
    }

    /** A tool that the server declares. */
    public static AiServiceTool of(ToolSpecification declared) {
        return AiServiceTool.builder()
                .toolSpecification(declared)
                .toolExecutor(INSTANCE)
                .build();
    }

    /** The specifications of the tools that a client declares, without those that no model can be told of. */
    public static List<ToolSpecification> specifications(List<ClientToolSpec> tools) {
        return tools.stream().flatMap(tool -> specification(tool).stream()).toList();
    }

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

    /** Reads a schema that says more about the object itself than LangChain4j's can; the rest is left out. */
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
