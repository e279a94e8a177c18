package io.holdpoint.providers;

import com.fasterxml.jackson.databind.JsonNode;
import dev.langchain4j.model.chat.ChatModel;
import dev.langchain4j.model.chat.StreamingChatModel;
import dev.langchain4j.model.mistralai.MistralAiChatModel;
import dev.langchain4j.model.mistralai.MistralAiStreamingChatModel;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/** Mistral's chat completions: OpenAI's, with an order of roles and a form of ids. */
final class Mistral extends OpenAi {

    private static final Pattern ID = Pattern.compile("[a-zA-Z0-9]{9}");
    private static final Map<String, Set<String>> AFTER = Map.of(
            "", Set.of("system", "user"),
            "system", Set.of("system", "user", "assistant"),
            "user", Set.of("system", "user", "assistant"),
            "assistant", Set.of("user", "assistant", "tool"),
            "tool", Set.of("assistant", "tool"));

    @Override
    void mayFollow(String role, String before, List<String> broken) {
        if (!AFTER.get(before).contains(role)) {
            broken.add("Unexpected role '" + role + "' after role '" + before + "'");
        }
    }

    /** A text or pieces of text. */
    @Override
    boolean isText(JsonNode content) {
        return content.isTextual()
                || content.isArray()
                        && listOf(content).stream()
                                .allMatch(part -> part.path("text").isTextual());
    }

    @Override
    boolean isId(String id) {
        return ID.matcher(id).matches();
    }

    @Override
    String id(int number) {
        return "aB" + "%07d".formatted(number);
    }

    /** Mistral streams a call in one piece, and all of them in one event. */
    @Override
    String stream(Reply reply) {
        StringBuilder stream = new StringBuilder();
        for (String half : halves(reply.text())) {
            stream.append(event(chunk(delta(Map.of("role", "assistant", "content", half)))));
        }
        List<Object> calls = new ArrayList<>();
        for (Reply.ToolUse call : reply.calls()) {
            calls.add(call(call, calls.size(), call.arguments()));
        }
        Map<String, Object> last = calls.isEmpty() ? Map.of("content", "") : Map.of("content", "", "tool_calls", calls);
        return stream.append(event(chunk(Map.of("index", 0, "delta", last, "finish_reason", finish(reply)))))
                .append("data: [DONE]\n\n")
                .toString();
    }

    @Override
    ChatModel model(String url) {
        return MistralAiChatModel.builder()
                .baseUrl(url)
                .apiKey("none")
                .modelName("scripted")
                .maxRetries(0)
                .build();
    }

    @Override
    StreamingChatModel streamingModel(String url) {
        return MistralAiStreamingChatModel.builder()
                .baseUrl(url)
                .apiKey("none")
                .modelName("scripted")
                .build();
    }
}
