package io.holdpoint.demo.e2e;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/** The conditions under which OpenAI refuses a chat completions request with status 400. Stateless. */
final class OpenAiRequestRules {

    private static final Set<String> ROLES = Set.of("developer", "system", "user", "assistant", "tool", "function");
    private static final Pattern FUNCTION_NAME = Pattern.compile("[a-zA-Z0-9_-]{1,64}");
    private static final int LONGEST_CALL_ID = 40;

    private OpenAiRequestRules() {}

    /** The first rule the request breaks, in OpenAI's words where they are known. */
    static Optional<String> firstViolation(JsonNode request) {
        if (!request.path("model").isTextual()) {
            return Optional.of("you must provide a model parameter");
        }
        if (!request.path("messages").isArray() || request.path("messages").isEmpty()) {
            return Optional.of("[] is too short - 'messages'");
        }
        List<JsonNode> messages = new ArrayList<>();
        request.path("messages").forEach(messages::add);
        return invalidTool(request.path("tools")).or(() -> invalidMessage(messages));
    }

    private static Optional<String> invalidTool(JsonNode tools) {
        Set<String> names = new HashSet<>();
        for (JsonNode tool : tools) {
            String name = tool.at("/function/name").asText();
            if (!"function".equals(tool.path("type").asText())
                    || !FUNCTION_NAME.matcher(name).matches()) {
                return Optional.of("Invalid 'tools': '" + name + "' is not a valid function");
            }
            if (!names.add(name)) {
                return Optional.of("Invalid 'tools': function names must be unique, '" + name + "' is not");
            }
        }
        return Optional.empty();
    }

    private static Optional<String> invalidMessage(List<JsonNode> messages) {
        int next = 0;
        while (next < messages.size()) {
            JsonNode message = messages.get(next);
            Optional<String> violation = invalidShape(message, next);
            if (violation.isPresent()) {
                return violation;
            }
            List<JsonNode> answers = toolMessagesAfter(messages, next);
            violation = invalidAnswers(message, answers);
            if (violation.isPresent()) {
                return violation;
            }
            next += 1 + answers.size();
        }
        return Optional.empty();
    }

    private static Optional<String> invalidShape(JsonNode message, int position) {
        String role = message.path("role").asText();
        String at = "messages.[" + position + "]";
        if (!ROLES.contains(role)) {
            return Optional.of("Invalid value: '" + role + "' for " + at + ".role");
        }
        if (role.equals("tool")) {
            return Optional.of("Invalid parameter: messages with role 'tool' must be a response to a preceeding"
                    + " message with 'tool_calls' (" + at + ")");
        }
        boolean calls = !message.path("tool_calls").isMissingNode();
        if (calls
                && (!message.path("tool_calls").isArray()
                        || message.path("tool_calls").isEmpty())) {
            return Optional.of("[] is too short - '" + at + ".tool_calls'");
        }
        return calls || hasContent(message)
                ? Optional.empty()
                : Optional.of("Invalid value for 'content': expected a string, got null (" + at + ")");
    }

    private static List<JsonNode> toolMessagesAfter(List<JsonNode> messages, int position) {
        if (!messages.get(position).has("tool_calls")) {
            return List.of();
        }
        return messages.subList(position + 1, messages.size()).stream()
                .takeWhile(message -> "tool".equals(message.path("role").asText()))
                .toList();
    }

    private static Optional<String> invalidAnswers(JsonNode assistant, List<JsonNode> answers) {
        Set<String> unanswered = new LinkedHashSet<>();
        for (JsonNode call : assistant.path("tool_calls")) {
            String id = call.path("id").asText();
            if (id.isEmpty() || id.length() > LONGEST_CALL_ID || !unanswered.add(id)) {
                return Optional.of("Invalid 'tool_calls': id '" + id + "' is empty, longer than 40 or repeated");
            }
            if (!FUNCTION_NAME.matcher(call.at("/function/name").asText()).matches()
                    || !call.at("/function/arguments").isTextual()) {
                return Optional.of("Invalid 'tool_calls': name or arguments of '" + id + "'");
            }
        }
        for (JsonNode answer : answers) {
            String id = answer.path("tool_call_id").asText();
            if (!unanswered.remove(id) || !hasContent(answer)) {
                return Optional.of("Invalid tool message for 'tool_call_id' '" + id + "'");
            }
        }
        return unanswered.isEmpty()
                ? Optional.empty()
                : Optional.of("An assistant message with 'tool_calls' must be followed by tool messages responding to"
                        + " each 'tool_call_id'. The following tool_call_ids did not have response messages: "
                        + String.join(", ", unanswered));
    }

    private static boolean hasContent(JsonNode message) {
        return message.path("content").isTextual()
                || (message.path("content").isArray()
                        && !message.path("content").isEmpty());
    }
}
