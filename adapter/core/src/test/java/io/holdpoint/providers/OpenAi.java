package io.holdpoint.providers;

import com.fasterxml.jackson.databind.JsonNode;
import dev.langchain4j.model.chat.ChatModel;
import dev.langchain4j.model.chat.StreamingChatModel;
import dev.langchain4j.model.openai.OpenAiChatModel;
import dev.langchain4j.model.openai.OpenAiStreamingChatModel;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * OpenAI's chat completions, and what others refuse who speak them: vLLM, llama.cpp and Ollama's own endpoint take no call whose
 * arguments are not a JSON object.
 */
class OpenAi extends Provider {

    private static final int ID_LENGTH = 40;

    @Override
    List<String> broken(JsonNode request) {
        List<String> broken = new ArrayList<>();
        Set<String> open = new HashSet<>();
        String before = "";
        for (JsonNode message : request.path("messages")) {
            String role = message.path("role").asText();
            if (!role.equals("tool") && !open.isEmpty()) {
                broken.add("tool_call_ids did not have response messages: " + open);
                open.clear();
            }
            mayFollow(role, before, broken);
            switch (role) {
                case "tool" -> {
                    if (!open.remove(message.path("tool_call_id").asText())) {
                        broken.add(
                                "a tool message does not respond to a preceding message with tool_calls: " + message);
                    }
                    if (!isText(message.path("content"))) {
                        broken.add("the content of a tool message is not a text: " + message);
                    }
                }
                case "assistant" -> {
                    if (!message.has("tool_calls") && text(message).isEmpty()) {
                        broken.add("an assistant message has neither content nor tool_calls");
                    }
                    for (JsonNode call : message.path("tool_calls")) {
                        checkCall(call, broken);
                        if (!open.add(call.path("id").asText())) {
                            broken.add(
                                    "two calls have the id " + call.path("id").asText());
                        }
                    }
                }
                default -> {
                    if (text(message).isEmpty()) {
                        broken.add("a message of " + role + " has no content");
                    }
                }
            }
            before = role;
        }
        if (!open.isEmpty()) {
            broken.add("tool_call_ids did not have response messages: " + open);
        }
        if (!before.equals("user") && !before.equals("tool")) {
            broken.add("the last message is of " + before);
        }
        return broken;
    }

    void mayFollow(String role, String before, List<String> broken) {
        if (!Set.of("system", "user", "assistant", "tool").contains(role)) {
            broken.add("unknown role " + role + " after " + before);
        }
    }

    boolean isText(JsonNode content) {
        return content.isTextual();
    }

    boolean isId(String id) {
        return !id.isEmpty() && id.length() <= ID_LENGTH;
    }

    private void checkCall(JsonNode call, List<String> broken) {
        JsonNode function = call.path("function");
        if (!isId(call.path("id").asText())) {
            broken.add("the id of a call is " + call.path("id"));
        }
        if (!TOOL_NAME.matcher(function.path("name").asText()).matches()) {
            broken.add("the name of a function is " + function.path("name"));
        }
        if (!isJsonObject(function.path("arguments").asText())) {
            broken.add("the arguments of a call are not a JSON object: " + function.path("arguments"));
        }
    }

    private static String text(JsonNode message) {
        JsonNode content = message.path("content");
        if (!content.isArray()) {
            return content.isNull() ? "" : content.asText();
        }
        StringBuilder text = new StringBuilder();
        for (JsonNode part : content) {
            text.append(
                    part.has("text")
                            ? part.path("text").asText()
                            : part.path("type").asText());
        }
        return text.toString();
    }

    @Override
    String id(int number) {
        return "call_" + "%024d".formatted(number);
    }

    @Override
    boolean writesArgumentsAsText() {
        return true;
    }

    @Override
    boolean isStreamed(String path, JsonNode request) {
        return request.path("stream").asBoolean();
    }

    @Override
    String whole(Reply reply) {
        Map<String, Object> message = new HashMap<>();
        message.put("role", "assistant");
        message.put("content", reply.text());
        if (!reply.calls().isEmpty()) {
            List<Object> calls = new ArrayList<>();
            for (Reply.ToolUse call : reply.calls()) {
                calls.add(call(call, calls.size(), call.arguments()));
            }
            message.put("tool_calls", calls);
        }
        return json(chunk(Map.of("index", 0, "message", message, "finish_reason", finish(reply))));
    }

    @Override
    String stream(Reply reply) {
        StringBuilder stream = new StringBuilder();
        for (String half : halves(reply.text())) {
            stream.append(event(chunk(delta(Map.of("role", "assistant", "content", half)))));
        }
        int index = 0;
        for (Reply.ToolUse call : reply.calls()) {
            stream.append(event(chunk(delta(Map.of("tool_calls", List.of(call(call, index, "")))))));
            for (String half : halves(call.arguments())) {
                Map<String, Object> more = Map.of("index", index, "function", Map.of("arguments", half));
                stream.append(event(chunk(delta(Map.of("tool_calls", List.of(more))))));
            }
            index++;
        }
        Map<String, Object> end = Map.of("index", 0, "delta", Map.of(), "finish_reason", finish(reply));
        return stream.append(event(chunk(end))).append("data: [DONE]\n\n").toString();
    }

    static Map<String, Object> call(Reply.ToolUse call, int index, String arguments) {
        return Map.of(
                "id",
                call.id(),
                "index",
                index,
                "type",
                "function",
                "function",
                Map.of("name", call.tool(), "arguments", arguments));
    }

    static Map<String, Object> delta(Map<String, Object> delta) {
        return Map.of("index", 0, "delta", delta);
    }

    static String finish(Reply reply) {
        return reply.calls().isEmpty() ? "stop" : "tool_calls";
    }

    static Map<String, Object> chunk(Map<String, Object> choice) {
        return Map.of(
                "id",
                "chatcmpl-1",
                "object",
                "chat.completion",
                "created",
                1,
                "model",
                "scripted",
                "choices",
                List.of(choice),
                "usage",
                Map.of("prompt_tokens", 10, "completion_tokens", 5, "total_tokens", 15));
    }

    @Override
    ChatModel model(String url) {
        return OpenAiChatModel.builder()
                .baseUrl(url)
                .apiKey("none")
                .modelName("scripted")
                .maxRetries(0)
                .build();
    }

    @Override
    StreamingChatModel streamingModel(String url) {
        return OpenAiStreamingChatModel.builder()
                .baseUrl(url)
                .apiKey("none")
                .modelName("scripted")
                .build();
    }
}
