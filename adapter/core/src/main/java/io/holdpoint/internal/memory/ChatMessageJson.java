package io.holdpoint.internal.memory;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.langchain4j.data.document.Metadata;
import dev.langchain4j.data.message.AiMessage;
import dev.langchain4j.data.message.ChatMessage;
import dev.langchain4j.data.message.ChatMessageDeserializer;
import dev.langchain4j.data.message.ChatMessageSerializer;
import dev.langchain4j.data.message.ToolExecutionResultMessage;
import dev.langchain4j.data.message.UserMessage;
import dev.langchain4j.data.segment.TextSegment;
import dev.langchain4j.rag.content.Content;
import dev.langchain4j.rag.content.ContentMetadata;
import io.holdpoint.agui.AguiCodec;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Writes LangChain4j's messages and retrieved contents as the JSON that the store keeps, and reads them back. */
public final class ChatMessageJson {

    private static final Logger LOG = LoggerFactory.getLogger(ChatMessageJson.class);

    private ChatMessageJson() {}

    /** A stored record cannot be read, because another version wrote it or because it was damaged. */
    public static final class UnreadableRecordException extends RuntimeException {

        private static final long serialVersionUID = 1L;

        private UnreadableRecordException(String type, RuntimeException cause) {
            super("the stored " + type + " cannot be read", cause);
        }
    }

    /** The message as JSON, without the attributes that cannot be written. */
    public static String write(ChatMessage message) {
        try {
            return ChatMessageSerializer.messageToJson(message);
        } catch (RuntimeException e) {
            return ChatMessageSerializer.messageToJson(withoutStrangeAttributes(message, e));
        }
    }

    private static ChatMessage withoutStrangeAttributes(ChatMessage message, RuntimeException unwritten) {
        if (message instanceof AiMessage ai) {
            return ai.toBuilder().attributes(kept(message, ai.attributes())).build();
        }
        if (message instanceof UserMessage user) {
            return user.toBuilder().attributes(kept(message, user.attributes())).build();
        }
        if (message instanceof ToolExecutionResultMessage result) {
            return result.toBuilder()
                    .attributes(kept(message, result.attributes()))
                    .build();
        }
        throw unwritten;
    }

    private static Map<String, Object> kept(ChatMessage message, Map<String, Object> attributes) {
        Map<String, Object> kept = new LinkedHashMap<>(attributes);
        kept.entrySet().removeIf(attribute -> !isJson(attribute.getKey(), attribute.getValue()));
        LOG.warn(
                "Attributes of a {} message cannot be stored and are dropped: all but {}",
                message.type(),
                kept.keySet());
        return kept;
    }

    private static boolean isJson(String name, Object value) {
        try {
            ChatMessageSerializer.messageToJson(
                    AiMessage.builder().attributes(Map.of(name, value)).build());
            return true;
        } catch (RuntimeException e) {
            return false;
        }
    }

    /** The message as it comes back from its JSON: only attributes may not survive it. */
    public static AiMessage asStored(AiMessage message, String json) {
        return message.attributes().isEmpty() ? message : read(AiMessage.class, json);
    }

    /** Reads a stored message; throws {@link UnreadableRecordException} if it is none of that type. */
    public static <M extends ChatMessage> M read(Class<M> type, String json) {
        try {
            return type.cast(ChatMessageDeserializer.messageFromJson(json));
        } catch (RuntimeException e) {
            throw new UnreadableRecordException(type.getSimpleName(), e);
        }
    }

    public static String write(Content retrieved) {
        ObjectNode node = AguiCodec.mapper().createObjectNode();
        node.put("text", retrieved.textSegment().text());
        node.set(
                "segment",
                AguiCodec.mapper()
                        .valueToTree(retrieved.textSegment().metadata().toMap()));
        ObjectNode metadata = node.putObject("metadata");
        retrieved
                .metadata()
                .forEach((key, value) ->
                        metadata.set(key.name(), AguiCodec.mapper().valueToTree(value)));
        return AguiCodec.write(node);
    }

    public static Content readRetrieved(String json) {
        try {
            JsonNode node = AguiCodec.mapper().readTree(json);
            Map<String, Object> segment = new HashMap<>();
            node.path("segment").properties().forEach(entry -> segment.put(entry.getKey(), scalar(entry.getValue())));
            Map<ContentMetadata, Object> metadata = new EnumMap<>(ContentMetadata.class);
            for (ContentMetadata key : ContentMetadata.values()) { // others are of a later LangChain4j
                if (node.path("metadata").has(key.name())) {
                    metadata.put(key, scalar(node.path("metadata").get(key.name())));
                }
            }
            return Content.from(TextSegment.from(node.path("text").asText(), Metadata.from(segment)), metadata);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("stored retrieval result is not JSON", e);
        }
    }

    private static Object scalar(JsonNode node) {
        if (node.isIntegralNumber()) {
            return node.canConvertToInt() ? (Object) node.intValue() : (Object) node.longValue();
        }
        return node.isNumber() ? (Object) node.doubleValue() : node.asText();
    }

    /**
     * The user message of one turn, beside its JSON: a turn mostly notes the same message as said, as prepared and as remembered,
     * which is so written and read once. A message with attributes is written and read each time, because they may change, and
     * may not survive JSON as they are. Thread-safe.
     */
    public static final class UserMessageJson {

        private volatile Optional<Known> last = Optional.empty();

        private record Known(UserMessage message, String json) {

            boolean isPlain() {
                return message.attributes().isEmpty();
            }
        }

        public String write(UserMessage message) {
            Optional<Known> known = last;
            if (known.isPresent()
                    && known.get().isPlain()
                    && known.get().message().equals(message)) {
                return known.get().json();
            }
            return keep(message, ChatMessageJson.write(message)).json();
        }

        /** Reads a stored message; throws {@link ChatMessageJson.UnreadableRecordException} if it is none. */
        public UserMessage read(String json) {
            Optional<Known> known = last;
            if (known.isPresent() && known.get().isPlain() && known.get().json().equals(json)) {
                return known.get().message();
            }
            return keep(ChatMessageJson.read(UserMessage.class, json), json).message();
        }

        private Known keep(UserMessage message, String json) {
            Known known = new Known(message, json);
            if (known.isPlain()) {
                last = Optional.of(known);
            }
            return known;
        }
    }
}
