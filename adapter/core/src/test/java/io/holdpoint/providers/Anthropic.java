package io.holdpoint.providers;

import com.fasterxml.jackson.databind.JsonNode;
import dev.langchain4j.model.anthropic.AnthropicChatModel;
import dev.langchain4j.model.anthropic.AnthropicStreamingChatModel;
import dev.langchain4j.model.chat.ChatModel;
import dev.langchain4j.model.chat.StreamingChatModel;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/** Anthropic's messages, with thinking: it puts messages of one role that follow each other together before it looks at them. */
final class Anthropic extends Provider {

    private static final Pattern ID = Pattern.compile("[a-zA-Z0-9_-]+");
    private static final Set<String> PICTURES = Set.of("image/jpeg", "image/png", "image/gif", "image/webp");
    private static final String SIGNATURE = "signed";

    private record Combined(String role, List<JsonNode> blocks) {}

    @Override
    List<String> broken(JsonNode request) {
        List<String> broken = new ArrayList<>();
        List<Combined> messages = combined(request, broken);
        Set<String> ids = new HashSet<>();
        Set<String> open = Set.of();
        for (Combined message : messages) {
            checkResults(message, open, broken);
            open = new HashSet<>();
            for (JsonNode block : message.blocks()) {
                if (block.path("type").asText().equals("text")
                        && block.path("text").asText().isBlank()) {
                    broken.add("text content blocks must contain non-whitespace text");
                }
                if (block.path("type").asText().equals("tool_use")) {
                    String id = block.path("id").asText();
                    open.add(id);
                    checkCall(block, broken);
                    if (!ids.add(id)) {
                        broken.add("`tool_use` ids must be unique: " + id);
                    }
                }
            }
            if (!open.isEmpty()
                    && !message.blocks().get(0).path("signature").asText().equals(SIGNATURE)) {
                broken.add("a message with `tool_use` does not begin with its thinking block: " + message.blocks());
            }
        }
        if (messages.isEmpty() || !messages.get(0).role().equals("user")) {
            broken.add("the first message is not of the user");
        }
        if (!open.isEmpty() || !messages.get(messages.size() - 1).role().equals("user")) {
            broken.add("the last message is not of the user");
        }
        return broken;
    }

    private static List<Combined> combined(JsonNode request, List<String> broken) {
        List<Combined> messages = new ArrayList<>();
        for (JsonNode message : request.path("messages")) {
            String role = message.path("role").asText();
            List<JsonNode> blocks = listOf(message.path("content"));
            if (blocks.isEmpty()) {
                broken.add("all messages must have non-empty content");
            } else if (!messages.isEmpty()
                    && messages.get(messages.size() - 1).role().equals(role)) {
                messages.get(messages.size() - 1).blocks().addAll(blocks);
            } else {
                messages.add(new Combined(role, blocks));
            }
        }
        return messages;
    }

    /** The results of the calls before stand at the beginning of a message, one for each call. */
    private static void checkResults(Combined message, Set<String> open, List<String> broken) {
        Set<String> missing = new HashSet<>(open);
        boolean isBeginning = true;
        for (JsonNode block : message.blocks()) {
            if (!block.path("type").asText().equals("tool_result")) {
                isBeginning = false;
                continue;
            }
            if (!isBeginning || !missing.remove(block.path("tool_use_id").asText())) {
                broken.add("unexpected `tool_use_id` in `tool_result` blocks: " + block);
            }
            for (JsonNode part : block.path("content")) {
                boolean isPicture = part.path("type").asText().equals("image");
                if (isPicture
                        && !PICTURES.contains(part.at("/source/media_type").asText())) {
                    broken.add("a picture of an unknown type: " + part);
                }
                if (!isPicture && part.path("text").asText().isBlank()) {
                    broken.add("text content blocks must contain non-whitespace text");
                }
            }
        }
        if (!missing.isEmpty()) {
            broken.add("`tool_use` ids were found without `tool_result` blocks immediately after: " + missing);
        }
    }

    private static void checkCall(JsonNode block, List<String> broken) {
        if (!ID.matcher(block.path("id").asText()).matches()) {
            broken.add("the id of a `tool_use` is " + block.path("id"));
        }
        if (!TOOL_NAME.matcher(block.path("name").asText()).matches()) {
            broken.add("the name of a `tool_use` is " + block.path("name"));
        }
        if (!block.path("input").isObject()) {
            broken.add("the input of a `tool_use` is not an object: " + block);
        }
    }

    @Override
    String id(int number) {
        return "toolu_01" + "%022d".formatted(number);
    }

    @Override
    boolean isStreamed(String path, JsonNode request) {
        return request.path("stream").asBoolean();
    }

    private static String stopReason(Reply reply) {
        return reply.calls().isEmpty() ? "end_turn" : "tool_use";
    }

    @Override
    String whole(Reply reply) {
        List<Object> content = new ArrayList<>();
        content.add(Map.of("type", "thinking", "thinking", "Let me see.", "signature", SIGNATURE));
        if (!reply.text().isEmpty()) {
            content.add(Map.of("type", "text", "text", reply.text()));
        }
        for (Reply.ToolUse call : reply.calls()) {
            content.add(
                    Map.of("type", "tool_use", "id", call.id(), "name", call.tool(), "input", read(call.arguments())));
        }
        return json(Map.of(
                "id", "msg_1",
                "type", "message",
                "role", "assistant",
                "model", "scripted",
                "content", content,
                "stop_reason", stopReason(reply),
                "usage", Map.of("input_tokens", 10, "output_tokens", 5)));
    }

    @Override
    String stream(Reply reply) {
        StringBuilder stream = new StringBuilder();
        Map<String, Object> usage = Map.of("input_tokens", 10, "output_tokens", 5);
        Map<String, Object> message = Map.of("id", "msg_1", "role", "assistant", "model", "scripted", "usage", usage);
        stream.append(named("message_start", Map.of("message", message)));
        int index = 0;
        block(
                stream,
                index++,
                Map.of("type", "thinking", "thinking", "", "signature", ""),
                List.of(
                        Map.of("type", "thinking_delta", "thinking", "Let me see."),
                        Map.of("type", "signature_delta", "signature", SIGNATURE)));
        if (!reply.text().isEmpty()) {
            block(stream, index++, Map.of("type", "text", "text", ""), deltas("text_delta", "text", reply.text()));
        }
        for (Reply.ToolUse call : reply.calls()) {
            block(
                    stream,
                    index++,
                    Map.of("type", "tool_use", "id", call.id(), "name", call.tool(), "input", Map.of()),
                    deltas("input_json_delta", "partial_json", call.arguments().equals("{}") ? "" : call.arguments()));
        }
        stream.append(
                named("message_delta", Map.of("delta", Map.of("stop_reason", stopReason(reply)), "usage", usage)));
        return stream.append(named("message_stop", Map.of())).toString();
    }

    private static List<Map<String, Object>> deltas(String type, String field, String text) {
        List<Map<String, Object>> deltas = new ArrayList<>();
        for (String half : halves(text)) {
            deltas.add(Map.of("type", type, field, half));
        }
        return deltas;
    }

    private static void block(
            StringBuilder stream, int index, Map<String, Object> start, List<Map<String, Object>> deltas) {
        stream.append(named("content_block_start", Map.of("index", index, "content_block", start)));
        for (Map<String, Object> delta : deltas) {
            stream.append(named("content_block_delta", Map.of("index", index, "delta", delta)));
        }
        stream.append(named("content_block_stop", Map.of("index", index)));
    }

    private static String named(String name, Map<String, Object> data) {
        return "event: " + name + "\n" + event(data);
    }

    @Override
    ChatModel model(String url) {
        return AnthropicChatModel.builder()
                .baseUrl(url)
                .apiKey("none")
                .modelName("scripted")
                .returnThinking(true)
                .sendThinking(true)
                .maxRetries(0)
                .build();
    }

    @Override
    StreamingChatModel streamingModel(String url) {
        return AnthropicStreamingChatModel.builder()
                .baseUrl(url)
                .apiKey("none")
                .modelName("scripted")
                .returnThinking(true)
                .sendThinking(true)
                .build();
    }
}
