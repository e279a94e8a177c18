package io.holdpoint.demo.e2e;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.holdpoint.demo.e2e.OpenAiReply.Assistant;
import io.holdpoint.demo.e2e.OpenAiReply.Call;
import io.holdpoint.demo.e2e.OpenAiReply.Usage;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * Writes replies as OpenAI's chat completions API does. Texts are cut at positions drawn from a seeded generator, since the
 * real service promises nothing about where a delta ends. Not thread-safe.
 */
final class OpenAiWire {

    private static final int LONGEST_FRAGMENT = 7;
    private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

    private final Random random;
    private final String id;
    private final String model;

    OpenAiWire(long seed, String id, String model) {
        this.random = new Random(seed);
        this.id = id;
        this.model = model;
    }

    /** The body of a reply that is not streamed. */
    ObjectNode completion(Assistant message) {
        ObjectNode body = envelope("chat.completion");
        ObjectNode choice = body.putArray("choices").addObject().put("index", 0);
        ObjectNode content = choice.putObject("message").put("role", "assistant");
        content.put("content", message.text().orElse(null));
        if (!message.calls().isEmpty()) {
            ArrayNode calls = content.putArray("tool_calls");
            message.calls().forEach(call -> calls.add(call(call, call.arguments())));
        }
        choice.putNull("logprobs").put("finish_reason", message.finishReason());
        body.set("usage", usage(message.usage()));
        return body;
    }

    /** The chunks of a streamed reply, without the closing {@code [DONE]}. */
    List<ObjectNode> chunks(Assistant message, boolean includeUsage) {
        List<ObjectNode> chunks = new ArrayList<>();
        chunks.add(chunk(JSON.objectNode()
                .put("role", "assistant")
                .put("content", message.text().isPresent() ? "" : null)));
        message.text().ifPresent(text -> fragments(text)
                .forEach(part -> chunks.add(chunk(JSON.objectNode().put("content", part)))));
        for (int index = 0; index < message.calls().size(); index++) {
            addCall(chunks, index, message.calls().get(index));
        }
        ObjectNode last = chunk(JSON.objectNode());
        ((ObjectNode) last.at("/choices/0")).put("finish_reason", message.finishReason());
        chunks.add(last);
        if (includeUsage) {
            chunks.forEach(chunk -> chunk.putNull("usage"));
            ObjectNode counts = envelope("chat.completion.chunk");
            counts.putArray("choices");
            counts.set("usage", usage(message.usage()));
            chunks.add(counts);
        }
        return chunks;
    }

    /** OpenAI's error body. */
    static ObjectNode error(String message, String type, String code) {
        ObjectNode body = JSON.objectNode();
        body.putObject("error")
                .put("message", message)
                .put("type", type)
                .putNull("param")
                .put("code", code);
        return body;
    }

    private void addCall(List<ObjectNode> chunks, int index, Call call) {
        chunks.add(toolCallChunk(call(call, "").put("index", index)));
        for (String part : fragments(call.arguments())) {
            ObjectNode delta = JSON.objectNode().put("index", index);
            delta.putObject("function").put("arguments", part);
            chunks.add(toolCallChunk(delta));
        }
    }

    private ObjectNode toolCallChunk(ObjectNode call) {
        ObjectNode delta = JSON.objectNode();
        delta.putArray("tool_calls").add(call);
        return chunk(delta);
    }

    private ObjectNode chunk(ObjectNode delta) {
        ObjectNode chunk = envelope("chat.completion.chunk");
        ObjectNode choice = chunk.putArray("choices").addObject().put("index", 0);
        choice.set("delta", delta);
        choice.putNull("logprobs").putNull("finish_reason");
        return chunk;
    }

    private ObjectNode envelope(String object) {
        return JSON.objectNode()
                .put("id", id)
                .put("object", object)
                .put("created", 1_700_000_000)
                .put("model", model);
    }

    private static ObjectNode call(Call call, String arguments) {
        ObjectNode node = JSON.objectNode().put("id", call.id()).put("type", "function");
        node.putObject("function").put("name", call.name()).put("arguments", arguments);
        return node;
    }

    private static ObjectNode usage(Usage usage) {
        return JSON.objectNode()
                .put("prompt_tokens", usage.promptTokens())
                .put("completion_tokens", usage.completionTokens())
                .put("total_tokens", usage.promptTokens() + usage.completionTokens());
    }

    private List<String> fragments(String text) {
        List<String> parts = new ArrayList<>();
        int start = 0;
        while (start < text.length()) {
            int wanted = 1 + random.nextInt(LONGEST_FRAGMENT);
            int left = text.codePointCount(start, text.length());
            int end = text.offsetByCodePoints(start, Math.min(wanted, left));
            parts.add(text.substring(start, end));
            start = end;
        }
        return parts;
    }
}
