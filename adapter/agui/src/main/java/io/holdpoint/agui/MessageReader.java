package io.holdpoint.agui;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Reads messages, their content and their tool calls from JSON trees. */
final class MessageReader {

    private MessageReader() {}

    /** The message; {@code null} if its role is unknown. */
    static @Nullable Message read(JsonFields message) {
        return switch (message.text("role")) {
            case "user" -> new Message.User(message.id("id"), content(message), named(message));
            case "assistant" ->
                new Message.Assistant(
                        message.id("id"),
                        message.optionalText("content"),
                        message.optionalList("toolCalls", MessageReader::toolCall),
                        named(message));
            case "tool" ->
                new Message.Tool(
                        message.text("id"),
                        message.text("toolCallId"),
                        content(message),
                        message.optionalText("error"),
                        unnamed(message));
            case "system" -> new Message.System(message.text("id"), message.text("content"), named(message));
            case "developer" -> new Message.Developer(message.text("id"), message.text("content"), named(message));
            case "activity" ->
                new Message.Activity(
                        message.text("id"),
                        message.text("activityType"),
                        message.object("content"),
                        new MessageExtras(
                                null, null, message.optionalObject("metadata"), message.optionalText("subagentRunId")));
            case "reasoning" -> new Message.Reasoning(message.text("id"), message.text("content"), unnamed(message));
            default -> null;
        };
    }

    static ToolCall toolCall(JsonFields call) {
        JsonFields function = call.child("function");
        return new ToolCall(
                call.text("id"),
                function.text("name"),
                function.text("arguments"),
                call.optionalText("encryptedValue"),
                call.optionalObject("metadata"));
    }

    /** The field {@code content} of a message or of a tool result. */
    static MessageContent content(JsonFields owner) {
        return content(owner.node().path("content"), owner.pathOf("content"));
    }

    static MessageContent content(JsonNode content, String path) {
        if (content.isTextual()) {
            return new MessageContent.Text(content.textValue());
        }
        if (content.isMissingNode()) {
            throw new AguiFormatException(path + ": required, a string or an array of parts");
        }
        if (!content.isArray()) {
            throw JsonFields.wrongType(path, "a string or an array of parts", content);
        }
        List<ContentPart> parts = new ArrayList<>(content.size());
        for (int i = 0; i < content.size(); i++) {
            ContentPart part = part(JsonFields.of(content.get(i), path + "[" + i + "]"));
            if (part != null) {
                parts.add(part);
            }
        }
        return new MessageContent.Parts(parts);
    }

    private static @Nullable ContentPart part(JsonFields part) {
        String id = part.optionalText("id");
        JsonNode metadata = part.present("metadata");
        return switch (part.text("type")) {
            case "text" -> new ContentPart.Text(part.text("text"), id, metadata);
            case "image" -> media(part, source -> new ContentPart.Image(source, id, metadata));
            case "audio" -> media(part, source -> new ContentPart.Audio(source, id, metadata));
            case "video" -> media(part, source -> new ContentPart.Video(source, id, metadata));
            case "document" -> media(part, source -> new ContentPart.Document(source, id, metadata));
            case "binary" ->
                new ContentPart.Binary(
                        part.text("mimeType"),
                        id,
                        part.optionalText("url"),
                        part.optionalText("data"),
                        part.optionalText("filename"));
            default -> null;
        };
    }

    /** The part; {@code null} if its source is of an unknown type, so that the part is skipped like an unknown one. */
    private static @Nullable ContentPart media(JsonFields part, Function<PartSource, ContentPart> constructor) {
        JsonFields source = part.child("source");
        return switch (source.text("type")) {
            case "data" -> constructor.apply(new PartSource.Data(source.text("value"), source.text("mimeType")));
            case "url" -> constructor.apply(new PartSource.Url(source.text("value"), source.optionalText("mimeType")));
            case "file" ->
                constructor.apply(new PartSource.File(
                        source.text("value"), source.optionalText("provider"), source.optionalText("mimeType")));
            default -> null;
        };
    }

    private static MessageExtras named(JsonFields message) {
        return extras(message, message.optionalText("name"));
    }

    private static MessageExtras unnamed(JsonFields message) {
        return extras(message, null);
    }

    private static MessageExtras extras(JsonFields message, @Nullable String name) {
        return new MessageExtras(
                name,
                message.optionalText("encryptedValue"),
                message.optionalObject("metadata"),
                message.optionalText("subagentRunId"));
    }
}
