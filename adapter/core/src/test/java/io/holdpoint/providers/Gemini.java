package io.holdpoint.providers;

import com.fasterxml.jackson.databind.JsonNode;
import dev.langchain4j.model.chat.ChatModel;
import dev.langchain4j.model.chat.StreamingChatModel;
import dev.langchain4j.model.googleai.GoogleAiGeminiChatModel;
import dev.langchain4j.model.googleai.GoogleAiGeminiStreamingChatModel;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Gemini's contents, with thought signatures: it puts contents of one role that follow each other together, and gives no ids. */
final class Gemini extends Provider {

    private static final String SIGNATURE = "c2lnbmVk";

    private record Turn(String role, List<JsonNode> parts) {

        List<JsonNode> all(String kind) {
            return parts.stream()
                    .filter(part -> part.has(kind))
                    .map(part -> part.path(kind))
                    .toList();
        }
    }

    @Override
    List<String> broken(JsonNode request) {
        List<String> broken = new ArrayList<>();
        List<Turn> turns = turns(request, broken);
        List<JsonNode> calls = List.of();
        for (int i = 0; i < turns.size(); i++) {
            Turn turn = turns.get(i);
            List<JsonNode> results = turn.all("functionResponse");
            if (results.size() != calls.size()) {
                broken.add("the number of function response parts (" + results.size()
                        + ") is not equal to the number of function call parts (" + calls.size() + ")");
            }
            for (JsonNode result : results) {
                if (!result.path("response").isObject()
                        || calls.stream().noneMatch(call -> call.path("name").equals(result.path("name")))) {
                    broken.add("a function response of no function call: " + result);
                }
            }
            calls = turn.all("functionCall");
            if (!calls.isEmpty() && (i == 0 || !turn.role().equals("model"))) {
                broken.add(
                        "function call turn comes not immediately after a user turn or after a function response turn");
            }
            if (!calls.isEmpty() && !isSigned(turn)) {
                broken.add("the first function call is missing its thought_signature: " + turn.parts());
            }
        }
        if (!calls.isEmpty()
                || turns.isEmpty()
                || !turns.get(turns.size() - 1).role().equals("user")) {
            broken.add("the last turn is not of the user");
        }
        return broken;
    }

    /** A model's text and its call in one turn are two contents of one message, but one message after another is none. */
    private static List<Turn> turns(JsonNode request, List<String> broken) {
        List<Turn> turns = new ArrayList<>();
        for (JsonNode content : request.path("contents")) {
            String role = content.path("role").asText();
            List<JsonNode> parts = listOf(content.path("parts"));
            if (parts.isEmpty()) {
                broken.add("contents.parts must not be empty");
            }
            for (JsonNode part : parts) {
                checkPart(part, broken);
            }
            boolean continues =
                    !turns.isEmpty() && turns.get(turns.size() - 1).role().equals(role);
            if (continues
                    && role.equals("model")
                    && !new Turn(role, parts).all("functionCall").isEmpty()) {
                broken.add(
                        "function call turn comes not immediately after a user turn or after a function response turn");
            }
            if (continues) {
                turns.get(turns.size() - 1).parts().addAll(parts);
            } else {
                turns.add(new Turn(role, parts));
            }
        }
        return turns;
    }

    private static void checkPart(JsonNode part, List<String> broken) {
        if (part.has("text") && part.path("text").asText().isEmpty()) {
            broken.add("a text part is empty");
        }
        JsonNode call = part.path("functionCall");
        if (part.has("functionCall")
                && (!call.path("args").isObject()
                        || !TOOL_NAME.matcher(call.path("name").asText()).matches())) {
            broken.add("a function call is broken: " + part);
        }
    }

    private static boolean isSigned(Turn turn) {
        return turn.parts().stream()
                .filter(part -> part.has("functionCall"))
                .findFirst()
                .filter(part -> part.path("thoughtSignature").asText().equals(SIGNATURE))
                .isPresent();
    }

    @Override
    String id(int number) {
        return "";
    }

    @Override
    boolean isStreamed(String path, JsonNode request) {
        return path.contains("streamGenerateContent");
    }

    @Override
    String whole(Reply reply) {
        return json(answer(reply));
    }

    @Override
    String stream(Reply reply) {
        return event(answer(reply));
    }

    private static Map<String, Object> answer(Reply reply) {
        List<Object> parts = new ArrayList<>();
        if (!reply.text().isEmpty()) {
            parts.add(Map.of("text", reply.text()));
        }
        for (Reply.ToolUse call : reply.calls()) {
            Map<String, Object> function = new HashMap<>();
            function.put("name", call.tool());
            function.put("args", read(call.arguments()));
            if (!call.id().isEmpty()) {
                function.put("id", call.id());
            }
            parts.add(
                    call == reply.calls().get(0)
                            ? Map.of("functionCall", function, "thoughtSignature", SIGNATURE)
                            : Map.of("functionCall", function));
        }
        Map<String, Object> candidate =
                Map.of("index", 0, "content", Map.of("role", "model", "parts", parts), "finishReason", "STOP");
        return Map.of(
                "candidates",
                List.of(candidate),
                "modelVersion",
                "scripted",
                "responseId",
                "r1",
                "usageMetadata",
                Map.of("promptTokenCount", 10, "candidatesTokenCount", 5, "totalTokenCount", 15));
    }

    @Override
    ChatModel model(String url) {
        return GoogleAiGeminiChatModel.builder()
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
        return GoogleAiGeminiStreamingChatModel.builder()
                .baseUrl(url)
                .apiKey("none")
                .modelName("scripted")
                .returnThinking(true)
                .sendThinking(true)
                .build();
    }
}
