package io.holdpoint.bench;

import dev.langchain4j.agent.tool.ToolExecutionRequest;
import dev.langchain4j.data.message.AiMessage;
import dev.langchain4j.data.message.ChatMessage;
import dev.langchain4j.data.message.UserMessage;
import dev.langchain4j.model.ModelProvider;
import dev.langchain4j.model.chat.Capability;
import dev.langchain4j.model.chat.ChatModel;
import dev.langchain4j.model.chat.StreamingChatModel;
import dev.langchain4j.model.chat.listener.ChatModelListener;
import dev.langchain4j.model.chat.request.ChatRequest;
import dev.langchain4j.model.chat.request.ChatRequestParameters;
import dev.langchain4j.model.chat.request.DefaultChatRequestParameters;
import dev.langchain4j.model.chat.response.ChatResponse;
import dev.langchain4j.model.chat.response.CompleteToolCall;
import dev.langchain4j.model.chat.response.StreamingChatResponseHandler;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/**
 * A model that costs next to nothing: to a user message it answers with the call it was made with, or else with a text;
 * to anything else with a text. It answers on the calling thread, after parking it for the delay. Thread-safe.
 */
final class BenchModel implements ChatModel, StreamingChatModel {

    private static final String TEXT = "Done, and nothing else is to be said about it.";

    private final Optional<ToolExecutionRequest> call;
    private volatile long delayNanos;
    private final AtomicLong ids = new AtomicLong();

    private BenchModel(Optional<ToolExecutionRequest> call, long delayNanos) {
        this.call = call;
        this.delayNanos = delayNanos;
    }

    static BenchModel answering(long delayNanos) {
        return new BenchModel(Optional.empty(), delayNanos);
    }

    static BenchModel calling(String tool, String arguments, long delayNanos) {
        ToolExecutionRequest call =
                ToolExecutionRequest.builder().name(tool).arguments(arguments).build();
        return new BenchModel(Optional.of(call), delayNanos);
    }

    /** Changes how long it takes. */
    void delays(long nanos) {
        delayNanos = nanos;
    }

    @Override
    public ChatResponse doChat(ChatRequest request) {
        park();
        return ChatResponse.builder().aiMessage(answer(request.messages())).build();
    }

    @Override
    public void doChat(ChatRequest request, StreamingChatResponseHandler handler) {
        park();
        AiMessage message = answer(request.messages());
        if (message.text() != null) {
            handler.onPartialResponse(message.text());
        }
        message.toolExecutionRequests()
                .forEach(complete -> handler.onCompleteToolCall(new CompleteToolCall(0, complete)));
        handler.onCompleteResponse(ChatResponse.builder().aiMessage(message).build());
    }

    private AiMessage answer(List<ChatMessage> messages) {
        return call.filter(proposed -> messages.get(messages.size() - 1) instanceof UserMessage)
                .map(proposed -> AiMessage.from(
                        proposed.toBuilder().id("c" + ids.incrementAndGet()).build()))
                .orElseGet(() -> AiMessage.from(TEXT));
    }

    private void park() {
        if (delayNanos > 0) {
            long delay = delayNanos;
            long end = System.nanoTime() + delay;
            for (long left = delay; left > 0; left = end - System.nanoTime()) {
                LockSupport.parkNanos(left);
            }
        }
    }

    @Override
    public ChatRequestParameters defaultRequestParameters() {
        return DefaultChatRequestParameters.EMPTY;
    }

    @Override
    public List<ChatModelListener> listeners() {
        return List.of();
    }

    @Override
    public ModelProvider provider() {
        return ModelProvider.OTHER;
    }

    @Override
    public Set<Capability> supportedCapabilities() {
        return Set.of();
    }
}
