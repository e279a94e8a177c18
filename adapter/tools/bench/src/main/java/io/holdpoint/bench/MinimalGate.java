package io.holdpoint.bench;

import com.fasterxml.jackson.databind.JsonNode;
import dev.langchain4j.agent.tool.ToolExecutionRequest;
import dev.langchain4j.data.message.AiMessage;
import dev.langchain4j.data.message.ChatMessage;
import dev.langchain4j.data.message.ToolExecutionResultMessage;
import dev.langchain4j.data.message.UserMessage;
import dev.langchain4j.model.chat.ChatModel;
import dev.langchain4j.service.tool.DefaultToolExecutor;
import dev.langchain4j.service.tool.ToolExecutor;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** The least that holds a call until it is approved: a map of threads that wait, and nothing that survives or checks. Thread-safe. */
final class MinimalGate {

    private final ChatModel model = BenchModel.calling("sendEmail", BenchTools.Gated.ARGUMENTS, 0);
    private final Map<String, List<ChatMessage>> waiting = new ConcurrentHashMap<>();
    private final ToolExecutor tool;

    MinimalGate() {
        try {
            BenchTools.Ungated tools = new BenchTools.Ungated();
            tool = new DefaultToolExecutor(
                    tools, BenchTools.Ungated.class.getMethod("sendEmail", String.class, String.class, String.class));
        } catch (NoSuchMethodException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Does what an AG-UI input asks for; says whether a call waits. */
    boolean run(JsonNode input) {
        String threadId = input.get("threadId").textValue();
        if (input.path("resume").isEmpty()) {
            List<ChatMessage> memory = new ArrayList<>();
            memory.add(UserMessage.from(input.at("/messages/0/content").textValue()));
            memory.add(model.chat(memory).aiMessage());
            waiting.put(threadId, memory);
            return true;
        }
        List<ChatMessage> memory = waiting.remove(threadId);
        if (!input.at("/resume/0/payload/approved").booleanValue()) {
            throw new IllegalStateException("not approved");
        }
        ToolExecutionRequest call =
                ((AiMessage) memory.get(1)).toolExecutionRequests().get(0);
        memory.add(ToolExecutionResultMessage.from(call, tool.execute(call, threadId)));
        model.chat(memory);
        return false;
    }
}
