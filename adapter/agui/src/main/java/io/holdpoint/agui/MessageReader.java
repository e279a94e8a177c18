package io.holdpoint.agui;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.deser.std.StdDeserializer;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Reads messages from their trees by hand: an input has hundreds of them, and Jackson takes twice as long to gather the
 * fields of {@link MessageExtras}. A message of an unknown role is read as null, and left out later; JSON's null is refused.
 */
final class MessageReader extends StdDeserializer<Message> {

    private static final long serialVersionUID = 1L;

    MessageReader() {
        super(Message.class);
    }

    @Override
    public @Nullable Message deserialize(JsonParser parser, DeserializationContext context) throws IOException {
        if (!parser.isExpectedStartObjectToken()) {
            throw JsonProblem.wrongType(parser, "an object");
        }
        return new Fields(AguiModule.NodeParser.take(parser, context), context).message();
    }

    @Override
    public @Nullable Message getNullValue(DeserializationContext context) throws JsonProblem {
        if (context.getParser().hasToken(JsonToken.VALUE_NULL)) {
            throw JsonProblem.wrongType(context.getParser(), "an object");
        }
        return null;
    }

    /** The fields of one JSON object. An optional field that is JSON null counts as absent: older clients send those. */
    private record Fields(JsonNode object, DeserializationContext context) {

        @Nullable
        Message message() throws IOException {
            return switch (text("role")) {
                case "user" -> new Message.User(text("id"), content(), extras(optionalText("name")));
                case "assistant" ->
                    new Message.Assistant(
                            text("id"), optionalText("content"), toolCalls(), extras(optionalText("name")));
                case "tool" ->
                    new Message.Tool(text("id"), text("toolCallId"), content(), optionalText("error"), extras(null));
                case "system" -> new Message.System(text("id"), text("content"), extras(optionalText("name")));
                case "developer" -> new Message.Developer(text("id"), text("content"), extras(optionalText("name")));
                case "activity" ->
                    new Message.Activity(
                            text("id"),
                            text("activityType"),
                            object("content"),
                            extras(null, null, optionalText("subagentRunId")));
                case "reasoning" -> new Message.Reasoning(text("id"), text("content"), extras(null));
                default -> null;
            };
        }

        private MessageExtras extras(@Nullable String name) throws JsonProblem {
            return extras(name, optionalText("encryptedValue"), optionalText("subagentRunId"));
        }

        private MessageExtras extras(
                @Nullable String name, @Nullable String encryptedValue, @Nullable String subagentRunId)
                throws JsonProblem {
            ObjectNode metadata = optionalObject("metadata");
            return name == null && encryptedValue == null && metadata == null && subagentRunId == null
                    ? MessageExtras.NONE
                    : new MessageExtras(name, encryptedValue, metadata, subagentRunId);
        }

        private MessageContent content() throws IOException {
            JsonNode content = object.path("content");
            if (content.isTextual()) {
                return new MessageContent.Text(content.textValue());
            }
            if (!content.isArray()) {
                throw wrongType("content", MessageContent.EXPECTED);
            }
            try {
                return context.readValue(AguiModule.NodeParser.at(content, context), MessageContent.class);
            } catch (JsonMappingException e) {
                e.prependPath(object, "content");
                throw e;
            }
        }

        private List<ToolCall> toolCalls() throws JsonProblem {
            JsonNode array = optional("toolCalls", JsonNode::isArray, "an array");
            if (array == null) {
                return List.of();
            }
            List<ToolCall> calls = new ArrayList<>(array.size());
            for (int i = 0; i < array.size(); i++) {
                try {
                    calls.add(toolCall(array.get(i)));
                } catch (JsonProblem e) {
                    throw e.in(i).in("toolCalls");
                }
            }
            return calls;
        }

        private ToolCall toolCall(JsonNode node) throws JsonProblem {
            if (!node.isObject()) {
                throw JsonProblem.wrongType(context.getParser(), "an object");
            }
            Fields call = new Fields(node, context);
            String id = call.text("id");
            Fields function = new Fields(call.object("function"), context);
            String name;
            String arguments;
            try {
                name = function.text("name");
                arguments = function.text("arguments");
            } catch (JsonProblem e) {
                throw e.in("function");
            }
            return new ToolCall(
                    id, name, arguments, call.optionalText("encryptedValue"), call.optionalObject("metadata"));
        }

        private String text(String name) throws JsonProblem {
            return required(name, JsonNode::isTextual, "a string").textValue();
        }

        private @Nullable String optionalText(String name) throws JsonProblem {
            JsonNode value = optional(name, JsonNode::isTextual, "a string");
            return value == null ? null : value.textValue();
        }

        private ObjectNode object(String name) throws JsonProblem {
            return (ObjectNode) required(name, JsonNode::isObject, "an object");
        }

        private @Nullable ObjectNode optionalObject(String name) throws JsonProblem {
            return (ObjectNode) optional(name, JsonNode::isObject, "an object");
        }

        private JsonNode required(String name, Predicate<JsonNode> isRight, String expected) throws JsonProblem {
            JsonNode value = optional(name, isRight, expected);
            if (value == null) {
                throw wrongType(name, expected);
            }
            return value;
        }

        private @Nullable JsonNode optional(String name, Predicate<JsonNode> isRight, String expected)
                throws JsonProblem {
            JsonNode value = object.get(name);
            if (value == null || value.isNull()) {
                return null;
            }
            if (!isRight.test(value)) {
                throw wrongType(name, expected);
            }
            return value;
        }

        private JsonProblem wrongType(String name, String expected) {
            return JsonProblem.wrongType(context.getParser(), expected).in(name);
        }
    }
}
