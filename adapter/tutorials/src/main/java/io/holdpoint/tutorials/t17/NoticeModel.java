package io.holdpoint.tutorials.t17;

import dev.langchain4j.agent.tool.ToolExecutionRequest;
import dev.langchain4j.data.message.AiMessage;
import dev.langchain4j.data.message.ChatMessage;
import dev.langchain4j.data.message.ToolExecutionResultMessage;
import dev.langchain4j.model.chat.StreamingChatModel;
import dev.langchain4j.model.chat.request.ChatRequest;
import dev.langchain4j.model.chat.response.ChatResponse;
import dev.langchain4j.model.chat.response.StreamingChatResponseHandler;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/** Stands for a real model: writes a notice word by word, and a longer one after a denial. */
record NoticeModel(Duration pause) implements StreamingChatModel {

    @Override
    public void doChat(ChatRequest request, StreamingChatResponseHandler handler) {
        AiMessage answer = answer(request.messages());
        for (String word : answer.text().split("(?<= )")) {
            handler.onPartialResponse(word);
            LockSupport.parkNanos(pause.toNanos());
        }
        handler.onCompleteResponse(ChatResponse.builder().aiMessage(answer).build());
    }

    private static AiMessage answer(List<ChatMessage> messages) {
        long versions = messages.stream()
                .filter(message -> message instanceof ToolExecutionResultMessage result
                        && result.toolName().equals("openDocument"))
                .count();
        if (!(messages.get(messages.size() - 1) instanceof ToolExecutionResultMessage result)) {
            return call("I write it beside our chat.", "openDocument", versions + 1);
        }
        if (result.toolName().equals("openDocument")) {
            String more = versions == 1 ? "" : " It opens again on Saturday at 9.";
            return call("The pool is closed on Friday." + more, "closeDocument", versions);
        }
        return result.isError()
                ? call("I write it again.", "openDocument", versions + 1)
                : AiMessage.from("It is on the board.");
    }

    private static AiMessage call(String text, String tool, long version) {
        ToolExecutionRequest call = ToolExecutionRequest.builder()
                .id(tool + "-" + version)
                .name(tool)
                .arguments("{\"title\":\"The pool\",\"version\":" + version + "}")
                .build();
        return AiMessage.from(text, List.of(call));
    }
}
