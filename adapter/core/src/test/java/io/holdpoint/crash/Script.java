package io.holdpoint.crash;

import static io.holdpoint.test.ScriptedModel.call;

import dev.langchain4j.agent.tool.ToolExecutionRequest;
import dev.langchain4j.data.message.AiMessage;
import dev.langchain4j.data.message.ChatMessage;
import dev.langchain4j.data.message.UserMessage;
import dev.langchain4j.model.chat.request.ChatRequest;
import java.util.ArrayList;
import java.util.List;

/**
 * What the model says, whichever process asks: it goes by the last user message, and by how often it called tools since.
 * A word of the message is a round of calls, each {@code tool:argument}: {@code "transfer:ada,visit:bob transfer:eve"} is
 * a round of two and a round of one. Whatever has no colon is no round.
 */
final class Script {

    private Script() {}

    static AiMessage answer(ChatRequest request) {
        List<ChatMessage> messages = request.messages();
        UserMessage last = UserMessage.findLast(messages).orElseThrow();
        long rounds = messages.subList(messages.lastIndexOf(last), messages.size()).stream()
                .filter(message -> message instanceof AiMessage ai && ai.hasToolExecutionRequests())
                .count();
        List<List<ToolExecutionRequest>> script = rounds(last.singleText());
        return rounds < script.size()
                ? AiMessage.from("Let me see.", script.get((int) rounds))
                : AiMessage.from("That was " + last.singleText() + " .");
    }

    static List<List<ToolExecutionRequest>> rounds(String text) {
        List<List<ToolExecutionRequest>> rounds = new ArrayList<>();
        for (String word : text.split(" ")) {
            if (word.contains(":")) {
                rounds.add(round(word));
            }
        }
        return rounds;
    }

    private static List<ToolExecutionRequest> round(String word) {
        List<ToolExecutionRequest> calls = new ArrayList<>();
        for (String each : word.split(",")) {
            String[] toolAndArgument = each.split(":");
            calls.add(
                    call("call-" + toolAndArgument[1], toolAndArgument[0], "{\"to\":\"" + toolAndArgument[1] + "\"}"));
        }
        return calls;
    }
}
