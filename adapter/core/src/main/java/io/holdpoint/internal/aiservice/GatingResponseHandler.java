package io.holdpoint.internal.aiservice;

import dev.langchain4j.model.ModelProvider;
import dev.langchain4j.model.chat.response.ChatResponse;
import dev.langchain4j.model.chat.response.CompleteToolCall;
import dev.langchain4j.model.chat.response.PartialResponse;
import dev.langchain4j.model.chat.response.PartialResponseContext;
import dev.langchain4j.model.chat.response.PartialThinking;
import dev.langchain4j.model.chat.response.PartialThinkingContext;
import dev.langchain4j.model.chat.response.PartialToolCall;
import dev.langchain4j.model.chat.response.PartialToolCallContext;
import dev.langchain4j.model.chat.response.StreamingChatResponseHandler;
import io.holdpoint.hook.ObservedWork.Ending;
import io.holdpoint.internal.journal.RunWatch;
import io.holdpoint.internal.turn.ToolCallIds;
import io.holdpoint.internal.turn.Turn;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Between the model and the AI Service: hands on what streams, keeps complete tool calls back until the gate has decided
 * about the whole message, and turns an exception of any callback into the failure of the run.
 */
final class GatingResponseHandler implements StreamingChatResponseHandler {

    private final Turn turn;
    private final StreamingChatResponseHandler handler;
    private final ModelProvider provider;
    private final ToolCallIds ids;
    private final RunWatch.Part call;
    private final AtomicBoolean complete = new AtomicBoolean();

    GatingResponseHandler(Turn turn, StreamingChatResponseHandler handler, ModelProvider provider, RunWatch.Part call) {
        this.turn = turn;
        this.handler = handler;
        this.provider = provider;
        this.ids = turn.toolCallIds();
        this.call = call;
    }

    @Override
    public void onPartialResponse(String partialResponse) {
        turn.guarded(() -> handler.onPartialResponse(partialResponse));
    }

    @Override
    public void onPartialResponse(PartialResponse partialResponse, PartialResponseContext context) {
        turn.stream().writes(context.streamingHandle());
        turn.guarded(() -> handler.onPartialResponse(partialResponse, context));
    }

    @Override
    public void onPartialThinking(PartialThinking partialThinking) {
        turn.guarded(() -> handler.onPartialThinking(partialThinking));
    }

    @Override
    public void onPartialThinking(PartialThinking partialThinking, PartialThinkingContext context) {
        turn.stream().writes(context.streamingHandle());
        turn.guarded(() -> handler.onPartialThinking(partialThinking, context));
    }

    @Override
    public void onPartialToolCall(PartialToolCall partialToolCall) {
        turn.guarded(() -> handler.onPartialToolCall(withFinalId(partialToolCall)));
    }

    @Override
    public void onPartialToolCall(PartialToolCall partialToolCall, PartialToolCallContext context) {
        turn.stream().writes(context.streamingHandle());
        turn.guarded(() -> handler.onPartialToolCall(withFinalId(partialToolCall), context));
    }

    /** Kept back: LangChain4j would start the tool at once if tools run concurrently. */
    @Override
    public void onCompleteToolCall(CompleteToolCall completeToolCall) {
        turn.guarded(() -> ids.complete(
                completeToolCall.index(),
                completeToolCall.toolExecutionRequest().id()));
    }

    @Override
    public void onUnmappedRawEvent(Object rawEvent) {
        turn.guarded(() -> handler.onUnmappedRawEvent(rawEvent));
    }

    @Override
    public void onCompleteResponse(ChatResponse response) {
        if (!complete.compareAndSet(false, true)) {
            return; // a model that repeats itself must not have its tools run twice
        }
        call.ended(Ending.ANSWERED);
        turn.watch()
                .within(() -> turn.guarded(() -> {
                    ChatResponse received = turn.received(response, ids, provider);
                    if (!received.aiMessage().hasToolExecutionRequests()) {
                        turn.afterFinalMessage(() -> handler.onCompleteResponse(received));
                        return;
                    }
                    turn.gate(received.aiMessage()).ifPresent(message -> {
                        GatedStreamingChatModel.announce(message, handler);
                        handler.onCompleteResponse(
                                received.toBuilder().aiMessage(message).build());
                    });
                }));
    }

    @Override
    public void onError(Throwable error) {
        call.ended(Ending.FAILED);
        turn.modelFailed(error);
        turn.watch().within(() -> turn.guarded(() -> handler.onError(error)));
    }

    private PartialToolCall withFinalId(PartialToolCall partial) {
        return PartialToolCall.builder()
                .index(partial.index())
                .id(ids.ofPartial(partial.index(), partial.id()))
                .name(partial.name())
                .partialArguments(partial.partialArguments())
                .build();
    }
}
