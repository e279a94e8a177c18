package io.holdpoint.agents;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import dev.langchain4j.agent.tool.ToolExecutionRequest;
import dev.langchain4j.model.chat.request.json.JsonObjectSchema;
import io.holdpoint.agui.AguiCodec;
import java.util.Objects;

/** The one argument of a tool that is another agent. */
final class Task {

    private static final String NAME = "task";

    private Task() {}

    /** The longest name of a tool that all providers take. */
    static final int LONGEST_NAME = 64;

    /** Returns the name of an agent, if providers take it as that of a tool; else an {@link IllegalArgumentException}. */
    static String requireName(String name, int longest) {
        if (!name.matches("[A-Za-z0-9_-]{1," + longest + "}")) {
            throw new IllegalArgumentException(
                    "name: 1 to " + longest + " letters, digits, _ and -, not \"" + name + "\"");
        }
        return name;
    }

    static JsonObjectSchema schema(String description) {
        return JsonObjectSchema.builder()
                .addStringProperty(NAME, description)
                .required(NAME)
                .build();
    }

    /** Returns the task that a model has given; an {@link IllegalArgumentException}, for the model, if there is none. */
    static String of(ToolExecutionRequest request) {
        try {
            JsonNode task = AguiCodec.mapper()
                    .readTree(Objects.requireNonNullElse(request.arguments(), ""))
                    .path(NAME);
            if (task.isTextual() && !task.textValue().isBlank()) {
                return task.textValue();
            }
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException("The arguments are no JSON: " + e.getOriginalMessage(), e);
        }
        throw new IllegalArgumentException(NAME + ": a text that says what the agent is to do is missing.");
    }
}
