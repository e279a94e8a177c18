package io.holdpoint.demo.model;

import static dev.langchain4j.internal.InternalStreamingChatResponseHandlerUtils.withLoggingExceptions;

import dev.langchain4j.agent.tool.ToolExecutionRequest;
import dev.langchain4j.data.message.AiMessage;
import dev.langchain4j.model.chat.response.ChatResponse;
import dev.langchain4j.model.chat.response.CompleteToolCall;
import dev.langchain4j.model.chat.response.PartialResponse;
import dev.langchain4j.model.chat.response.PartialResponseContext;
import dev.langchain4j.model.chat.response.PartialThinking;
import dev.langchain4j.model.chat.response.PartialThinkingContext;
import dev.langchain4j.model.chat.response.PartialToolCall;
import dev.langchain4j.model.chat.response.PartialToolCallContext;
import dev.langchain4j.model.chat.response.StreamingChatResponseHandler;
import dev.langchain4j.model.chat.response.StreamingHandle;
import java.util.List;

/**
 * Plays one response to a handler in pieces, in the order in which providers send it: thinking, text, then each tool call's arguments
 * and its completion, then the whole. An exception out of the handler goes to its {@code onError}; nothing follows a cancel.
 */
final class ScriptedStream implements StreamingHandle {

    private final StreamingChatResponseHandler handler;
    private final Runnable pause;
    private volatile boolean cancelled;

    ScriptedStream(StreamingChatResponseHandler handler, Runnable pause) {
        this.handler = handler;
        this.pause = pause;
    }

    void play(ChatResponse response) {
        AiMessage message = response.aiMessage();
        if (message.thinking() != null) {
            Words.pieces(message.thinking()).forEach(this::thinking);
        }
        if (message.text() != null) {
            Words.pieces(message.text()).forEach(this::text);
        }
        List<ToolExecutionRequest> calls = message.toolExecutionRequests();
        for (int index = 0; index < calls.size(); index++) {
            toolCall(index, calls.get(index));
        }
        send(() -> handler.onCompleteResponse(response));
    }

    private void thinking(String piece) {
        send(() -> handler.onPartialThinking(new PartialThinking(piece), new PartialThinkingContext(this)));
        pauseUnlessCancelled();
    }

    private void text(String piece) {
        send(() -> handler.onPartialResponse(new PartialResponse(piece), new PartialResponseContext(this)));
        pauseUnlessCancelled();
    }

    private void toolCall(int index, ToolExecutionRequest call) {
        for (String piece : Words.chunks(call.arguments())) {
            PartialToolCall partial = PartialToolCall.builder()
                    .index(index)
                    .id(call.id())
                    .name(call.name())
                    .partialArguments(piece)
                    .build();
            send(() -> handler.onPartialToolCall(partial, new PartialToolCallContext(this)));
            pauseUnlessCancelled();
        }
        send(() -> handler.onCompleteToolCall(new CompleteToolCall(index, call)));
    }

    private void send(Runnable callback) {
        if (cancelled) {
            return;
        }
        try {
            callback.run();
        } catch (RuntimeException e) {
            withLoggingExceptions(() -> handler.onError(e));
        }
    }

    private void pauseUnlessCancelled() {
        if (!cancelled) {
            pause.run();
        }
    }

    @Override
    public void cancel() {
        cancelled = true;
    }

    @Override
    public boolean isCancelled() {
        return cancelled;
    }
}
