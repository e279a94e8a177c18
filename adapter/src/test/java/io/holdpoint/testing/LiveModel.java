package io.holdpoint.testing;

import dev.langchain4j.agent.tool.ToolExecutionRequest;
import dev.langchain4j.data.message.AiMessage;
import dev.langchain4j.model.chat.StreamingChatModel;
import dev.langchain4j.model.chat.request.ChatRequest;
import dev.langchain4j.model.chat.response.ChatResponse;
import dev.langchain4j.model.chat.response.CompleteToolCall;
import dev.langchain4j.model.chat.response.PartialToolCall;
import dev.langchain4j.model.chat.response.StreamingChatResponseHandler;
import java.util.List;
import java.util.concurrent.CountDownLatch;

/** A streaming model that writes what the test tells it to, when the test tells it to, on the test's thread. */
public final class LiveModel implements StreamingChatModel {

    private volatile StreamingChatResponseHandler handler = new Unasked();
    private final CountDownLatch isAsked = new CountDownLatch(1);
    private final StringBuilder said = new StringBuilder();

    @Override
    public void doChat(ChatRequest request, StreamingChatResponseHandler asked) {
        said.setLength(0);
        handler = asked;
        isAsked.countDown();
    }

    /** Waits until it was asked for the first time. */
    public void awaitAsked() {
        try {
            isAsked.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Writes a piece of text. */
    public LiveModel says(String piece) {
        said.append(piece);
        handler.onPartialResponse(piece);
        return this;
    }

    /** Writes a piece of the arguments of a call. */
    public LiveModel argues(String id, String tool, String piece) {
        handler.onPartialToolCall(PartialToolCall.builder()
                .index(0)
                .id(id)
                .name(tool)
                .partialArguments(piece)
                .build());
        return this;
    }

    /** Ends its message with what it has said, and calls. */
    public void ends(ToolExecutionRequest... calls) {
        String text = said.toString();
        AiMessage message = calls.length == 0
                ? AiMessage.from(text)
                : AiMessage.builder()
                        .text(text.isEmpty() ? null : text)
                        .toolExecutionRequests(List.of(calls))
                        .build();
        int index = 0;
        for (ToolExecutionRequest call : calls) {
            handler.onCompleteToolCall(new CompleteToolCall(index++, call));
        }
        handler.onCompleteResponse(ChatResponse.builder().aiMessage(message).build());
    }

    public void fails(RuntimeException failure) {
        handler.onError(failure);
    }

    private static final class Unasked implements StreamingChatResponseHandler {

        @Override
        public void onCompleteResponse(ChatResponse response) {
            throw new AssertionError("the model was not asked");
        }

        @Override
        public void onError(Throwable failure) {
            throw new AssertionError("the model was not asked", failure);
        }
    }
}
