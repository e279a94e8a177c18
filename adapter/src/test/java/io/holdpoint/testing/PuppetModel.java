package io.holdpoint.testing;

import dev.langchain4j.agent.tool.ToolExecutionRequest;
import dev.langchain4j.data.message.AiMessage;
import dev.langchain4j.model.chat.StreamingChatModel;
import dev.langchain4j.model.chat.request.ChatRequest;
import dev.langchain4j.model.chat.response.ChatResponse;
import dev.langchain4j.model.chat.response.PartialResponse;
import dev.langchain4j.model.chat.response.PartialResponseContext;
import dev.langchain4j.model.chat.response.PartialThinking;
import dev.langchain4j.model.chat.response.PartialToolCall;
import dev.langchain4j.model.chat.response.PartialToolCallContext;
import dev.langchain4j.model.chat.response.StreamingChatResponseHandler;
import dev.langchain4j.model.chat.response.StreamingHandle;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * A streaming model that says each word when the test tells it to, on the test's thread, and can be told to stop. Like the real
 * ones it may go on a little after that.
 */
public final class PuppetModel implements StreamingChatModel {

    private final List<ChatRequest> requests = new CopyOnWriteArrayList<>();
    private final Handle handle = new Handle();
    private volatile StreamingChatResponseHandler handler;

    private static final class Handle implements StreamingHandle {

        private volatile boolean cancelled;

        @Override
        public void cancel() {
            cancelled = true;
        }

        @Override
        public boolean isCancelled() {
            return cancelled;
        }
    }

    @Override
    public void doChat(ChatRequest request, StreamingChatResponseHandler given) {
        ScriptedModel.requireWellFormed(request.messages());
        requests.add(request);
        handle.cancelled = false;
        handler = given;
    }

    /** What it was asked, oldest first. */
    public List<ChatRequest> requests() {
        return List.copyOf(requests);
    }

    /** Whether it was told to stop since it was asked last. */
    public boolean isCancelled() {
        return handle.isCancelled();
    }

    public void says(String part) {
        handler.onPartialResponse(new PartialResponse(part), new PartialResponseContext(handle));
    }

    public void thinks(String part) {
        handler.onPartialThinking(new PartialThinking(part));
    }

    public void beginsToCall(String id, String name, String part) {
        handler.onPartialToolCall(
                PartialToolCall.builder()
                        .index(0)
                        .id(id)
                        .name(name)
                        .partialArguments(part)
                        .build(),
                new PartialToolCallContext(handle));
    }

    public void ends(String text) {
        handler.onCompleteResponse(
                ChatResponse.builder().aiMessage(AiMessage.from(text)).build());
    }

    public void ends(ToolExecutionRequest... calls) {
        handler.onCompleteResponse(
                ChatResponse.builder().aiMessage(AiMessage.from(calls)).build());
    }

    public void fails(Throwable failure) {
        handler.onError(failure);
    }
}
