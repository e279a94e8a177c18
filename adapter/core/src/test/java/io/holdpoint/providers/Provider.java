package io.holdpoint.providers;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.langchain4j.model.chat.ChatModel;
import dev.langchain4j.model.chat.StreamingChatModel;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * The API of one provider: the rules that it has for messages, the form of its answers, and LangChain4j's models for it. The
 * rules are those whose breach the provider answers with status 400.
 */
abstract class Provider {

    static final ObjectMapper JSON = new ObjectMapper();
    static final Pattern TOOL_NAME = Pattern.compile("[a-zA-Z0-9_-]{1,64}");

    /** What the requests of a test break, in order. */
    abstract List<String> broken(JsonNode request);

    /** The id of a call, in the provider's form; empty if it gives none. */
    abstract String id(int number);

    abstract boolean isStreamed(String path, JsonNode request);

    abstract String whole(Reply reply);

    abstract String stream(Reply reply);

    abstract ChatModel model(String url);

    abstract StreamingChatModel streamingModel(String url);

    /** Whether it writes the arguments of a call as a text, which need not be JSON. */
    boolean writesArgumentsAsText() {
        return false;
    }

    String streamType() {
        return "text/event-stream";
    }

    /** The body of a refusal; every module takes its text for that of an exception. */
    String refusal(String message) {
        return json(Map.of("error", Map.of("message", message, "type", "invalid_request_error")));
    }

    @Override
    public String toString() {
        return getClass().getSimpleName();
    }

    static String json(Object value) {
        try {
            return JSON.writeValueAsString(value);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException(e);
        }
    }

    static JsonNode read(String json) {
        try {
            return JSON.readTree(json);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException(e);
        }
    }

    static boolean isJsonObject(String text) {
        try {
            return JSON.readTree(text).isObject();
        } catch (JsonProcessingException e) {
            return false;
        }
    }

    static String event(Object data) {
        return "data: " + json(data) + "\n\n";
    }

    /** A text in two pieces, as a stream has it. */
    static List<String> halves(String text) {
        int half = text.length() / 2;
        return text.length() < 2 ? List.of(text) : List.of(text.substring(0, half), text.substring(half));
    }

    static <T> List<T> listOf(Iterable<T> items) {
        List<T> list = new ArrayList<>();
        items.forEach(list::add);
        return list;
    }
}
