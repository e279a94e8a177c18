package io.holdpoint.internal.memory;

import dev.langchain4j.agent.tool.ToolExecutionRequest;
import dev.langchain4j.data.message.AiMessage;
import dev.langchain4j.data.message.ChatMessage;
import dev.langchain4j.data.message.ToolExecutionResultMessage;
import java.util.ArrayList;
import java.util.List;

/** Finds tool calls without their results, and results without their calls: providers reject every request with one. */
public final class WellFormed {

    private WellFormed() {}

    /** The messages without incomplete batches and orphaned results, in order. */
    public static List<ChatMessage> of(List<ChatMessage> messages) {
        List<ChatMessage> result = new ArrayList<>();
        for (int i = 0; i < messages.size(); i++) {
            ChatMessage message = messages.get(i);
            if (message instanceof AiMessage ai && ai.hasToolExecutionRequests()) {
                int end = i + 1 + ai.toolExecutionRequests().size();
                if (end <= messages.size() && answers(ai, messages.subList(i + 1, end))) {
                    result.addAll(messages.subList(i, end));
                    i = end - 1;
                }
            } else if (!(message instanceof ToolExecutionResultMessage)) {
                result.add(message);
            }
        }
        return result;
    }

    /** In any order: it is not this run that wrote them. */
    private static boolean answers(AiMessage ai, List<ChatMessage> results) {
        List<String> calls = new ArrayList<>(ai.toolExecutionRequests().stream()
                .map(ToolExecutionRequest::id)
                .toList());
        return results.stream()
                .allMatch(each -> each instanceof ToolExecutionResultMessage result && calls.remove(result.id()));
    }
}
