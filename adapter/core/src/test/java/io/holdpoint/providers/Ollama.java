package io.holdpoint.providers;

import com.fasterxml.jackson.databind.JsonNode;
import dev.langchain4j.model.chat.ChatModel;
import dev.langchain4j.model.chat.StreamingChatModel;
import dev.langchain4j.model.ollama.OllamaChatModel;
import dev.langchain4j.model.ollama.OllamaStreamingChatModel;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Ollama's chat: takes any order, but no unknown role and no arguments that are not an object. Gives no ids. */
final class Ollama extends Provider {

    @Override
    List<String> broken(JsonNode request) {
        List<String> broken = new ArrayList<>();
        for (JsonNode message : request.path("messages")) {
            if (!Set.of("system", "user", "assistant", "tool")
                    .contains(message.path("role").asText())) {
                broken.add("invalid role: " + message);
            }
            if (message.path("content").asText("").isEmpty()
                    && message.path("tool_calls").isEmpty()
                    && !message.path("role").asText().equals("tool")) {
                broken.add("a message of nothing: " + message);
            }
            for (JsonNode call : message.path("tool_calls")) {
                if (!call.at("/function/arguments").isObject()) {
                    broken.add("arguments that are not an object: " + call);
                }
            }
        }
        return broken;
    }

    @Override
    String id(int number) {
        return "";
    }

    @Override
    boolean isStreamed(String path, JsonNode request) {
        return request.path("stream").asBoolean(true);
    }

    @Override
    String streamType() {
        return "application/x-ndjson";
    }

    @Override
    String refusal(String message) {
        return json(Map.of("error", message));
    }

    @Override
    String whole(Reply reply) {
        return json(part(reply.text(), calls(reply), true));
    }

    @Override
    String stream(Reply reply) {
        StringBuilder stream = new StringBuilder();
        for (String half : halves(reply.text())) {
            stream.append(json(part(half, List.of(), false))).append('\n');
        }
        if (!reply.calls().isEmpty()) {
            stream.append(json(part("", calls(reply), false))).append('\n');
        }
        return stream.append(json(part("", List.of(), true))).append('\n').toString();
    }

    private static List<Object> calls(Reply reply) {
        List<Object> calls = new ArrayList<>();
        for (Reply.ToolUse call : reply.calls()) {
            calls.add(Map.of(
                    "function",
                    Map.of("index", calls.size(), "name", call.tool(), "arguments", read(call.arguments()))));
        }
        return calls;
    }

    private static Map<String, Object> part(String text, List<Object> calls, boolean done) {
        Map<String, Object> message = calls.isEmpty()
                ? Map.of("role", "assistant", "content", text)
                : Map.of("role", "assistant", "content", text, "tool_calls", calls);
        return done
                ? Map.of(
                        "model",
                        "scripted",
                        "message",
                        message,
                        "done",
                        true,
                        "done_reason",
                        "stop",
                        "prompt_eval_count",
                        10,
                        "eval_count",
                        5)
                : Map.of("model", "scripted", "message", message, "done", false);
    }

    @Override
    ChatModel model(String url) {
        return OllamaChatModel.builder()
                .baseUrl(url)
                .modelName("scripted")
                .maxRetries(0)
                .build();
    }

    @Override
    StreamingChatModel streamingModel(String url) {
        return OllamaStreamingChatModel.builder()
                .baseUrl(url)
                .modelName("scripted")
                .build();
    }
}
