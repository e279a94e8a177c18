package io.holdpoint.crash;

import dev.langchain4j.agent.tool.ToolExecutionRequest;
import dev.langchain4j.data.message.AiMessage;
import dev.langchain4j.data.message.ChatMessage;
import dev.langchain4j.data.message.ToolExecutionResultMessage;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;

/** Every tool call has its result directly after it, in order, and no result is without its call. */
final class WellFormedMemory {

    private WellFormedMemory() {}

    static void check(List<ChatMessage> messages) {
        Queue<String> expected = new ArrayDeque<>();
        for (ChatMessage message : messages) {
            if (message instanceof ToolExecutionResultMessage result) {
                if (!result.id().equals(expected.poll())) {
                    throw new AssertionError("a result in the wrong place: " + messages);
                }
            } else if (!expected.isEmpty()) {
                throw new AssertionError("a call without its result: " + messages);
            } else if (message instanceof AiMessage ai) {
                ai.toolExecutionRequests().stream()
                        .map(ToolExecutionRequest::id)
                        .forEach(expected::add);
            }
        }
        if (!expected.isEmpty()) {
            throw new AssertionError("a call without its result: " + messages);
        }
    }
}
