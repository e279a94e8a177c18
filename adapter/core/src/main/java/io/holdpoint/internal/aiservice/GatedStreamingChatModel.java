package io.holdpoint.internal.aiservice;

import dev.langchain4j.data.message.AiMessage;
import dev.langchain4j.model.ModelProvider;
import dev.langchain4j.model.chat.Capability;
import dev.langchain4j.model.chat.ChatRequestOptions;
import dev.langchain4j.model.chat.StreamingChatModel;
import dev.langchain4j.model.chat.listener.ChatModelListener;
import dev.langchain4j.model.chat.request.ChatRequest;
import dev.langchain4j.model.chat.request.ChatRequestParameters;
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
import io.holdpoint.internal.lease.CallingThread;
import io.holdpoint.internal.turn.Run;
import io.holdpoint.internal.turn.ToolCallIds;
import io.holdpoint.internal.turn.Turn;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * The application's streaming model for one turn: sees each complete message before any of its tools runs, and gates it. A
 * held message is never handed on. On a continued turn the first answer is the stored message.
 */
final class GatedStreamingChatModel implements StreamingChatModel {

    private final StreamingChatModel model;
    private final Run run;
    private final Turn turn;

    GatedStreamingChatModel(StreamingChatModel model, Run run, Turn turn) {
        this.model = model;
        this.run = run;
        this.turn = turn;
    }

    @Override
    public void chat(ChatRequest request, StreamingChatResponseHandler handler) {
        chat(request, Optional.empty(), handler);
    }

    @Override
    public void chat(ChatRequest request, ChatRequestOptions options, StreamingChatResponseHandler handler) {
        chat(request, Optional.of(options), handler);
    }

    private void chat(ChatRequest request, Optional<ChatRequestOptions> options, StreamingChatResponseHandler handler) {
        CallingThread.Scope own = run.stop.caller.own();
        try {
            answer(request, options, handler);
        } finally {
            own.close();
        }
    }

    private void answer(
            ChatRequest request, Optional<ChatRequestOptions> options, StreamingChatResponseHandler handler) {
        Optional<AiMessage> stored = turn.output.takeStored();
        if (stored.isPresent()) {
            if (!turn.asksAgain()) {
                announce(stored.get(), handler);
                complete(handler, ChatResponse.builder().aiMessage(stored.get()).build());
            }
            return;
        }
        if (turn.output.isComplete()) {
            answerReprompt(request, options, handler);
            return;
        }
        if (turn.pauses()) {
            return;
        }
        Optional<ChatResponse> end = turn.endsWithText();
        if (end.isPresent()) {
            say(end.get(), handler);
        } else {
            RunWatch.Part call = run.watch.modelCall(model.provider().name());
            ask(request, options, call, new GatingHandler(handler, call));
        }
    }

    /** Asks the model, which may answer later and on threads of its own. */
    private void ask(
            ChatRequest request,
            Optional<ChatRequestOptions> options,
            RunWatch.Part call,
            StreamingChatResponseHandler handler) {
        ChatRequest withContext = turn.context.addTo(request);
        RunWatch.Scope scope = call.enter();
        try {
            CallingThread.Scope foreign = run.stop.caller.foreign();
            try {
                if (options.isPresent()) {
                    model.chat(withContext, options.get(), handler);
                } else {
                    model.chat(withContext, handler);
                }
            } finally {
                foreign.close();
            }
        } catch (RuntimeException | Error e) {
            call.ended(Ending.FAILED);
            throw e;
        } finally {
            scope.close();
        }
    }

    private void say(ChatResponse end, StreamingChatResponseHandler handler) {
        turn.guarded(() -> {
            handler.onPartialResponse(end.aiMessage().text());
            turn.afterFinalMessage(() -> complete(handler, end));
        });
    }

    /** Hands on to LangChain4j, which runs the tools, or waits for them. */
    private void complete(StreamingChatResponseHandler handler, ChatResponse response) {
        CallingThread.Scope foreign = run.stop.caller.foreign();
        try {
            handler.onCompleteResponse(response);
        } finally {
            foreign.close();
        }
    }

    /** Tells the AI Service about each complete call, which is what starts concurrent execution. */
    private static void announce(AiMessage message, StreamingChatResponseHandler handler) {
        for (int i = 0; i < message.toolExecutionRequests().size(); i++) {
            handler.onCompleteToolCall(
                    new CompleteToolCall(i, message.toolExecutionRequests().get(i)));
        }
    }

    /**
     * A guardrail asks again and waits for the answer. LangChain4j's waiting handler does not count errors, so it would wait
     * for ever if the model fails; the waiting is done here instead.
     */
    private void answerReprompt(
            ChatRequest request, Optional<ChatRequestOptions> options, StreamingChatResponseHandler handler) {
        CompletableFuture<ChatResponse> answer = new CompletableFuture<>();
        RunWatch.Part call = run.watch.modelCall(model.provider().name());
        ask(request, options, call, new StreamingChatResponseHandler() {
            @Override
            public void onCompleteResponse(ChatResponse response) {
                call.ended(Ending.ANSWERED);
                answer.complete(response);
            }

            @Override
            public void onError(Throwable error) {
                call.ended(Ending.FAILED);
                answer.completeExceptionally(error);
            }
        });
        turn.output.stream.isWaitedFor(
                () -> answer.completeExceptionally(new IllegalStateException("the turn has ended")));
        ChatResponse response;
        try {
            response = answer.join();
        } catch (CompletionException e) {
            throw e.getCause() instanceof RuntimeException cause ? cause : e;
        }
        turn.output.requireEnd(response, model.provider());
        complete(handler, turn.output.receivedInReprompt(response, model.provider()));
    }

    @Override
    public ChatRequestParameters defaultRequestParameters() {
        return model.defaultRequestParameters();
    }

    @Override
    public List<ChatModelListener> listeners() {
        return model.listeners();
    }

    @Override
    public ModelProvider provider() {
        return model.provider();
    }

    @Override
    public Set<Capability> supportedCapabilities() {
        return model.supportedCapabilities();
    }

    /**
     * Stands between the model and the AI Service: hands on what streams, keeps complete tool calls back until the gate has
     * decided about the whole message, and turns an exception of any callback into the failure of the turn.
     */
    private final class GatingHandler implements StreamingChatResponseHandler {

        private final StreamingChatResponseHandler handler;
        private final RunWatch.Part call;
        private final ToolCallIds ids = turn.output.toolCallIds();
        private final AtomicBoolean complete = new AtomicBoolean();

        GatingHandler(StreamingChatResponseHandler handler, RunWatch.Part call) {
            this.handler = handler;
            this.call = call;
        }

        @Override
        public void onPartialResponse(String partialResponse) {
            turn.guarded(() -> handler.onPartialResponse(partialResponse));
        }

        @Override
        public void onPartialResponse(PartialResponse partialResponse, PartialResponseContext context) {
            turn.output.stream.writes(context.streamingHandle());
            turn.guarded(() -> handler.onPartialResponse(partialResponse, context));
        }

        @Override
        public void onPartialThinking(PartialThinking partialThinking) {
            turn.guarded(() -> handler.onPartialThinking(partialThinking));
        }

        @Override
        public void onPartialThinking(PartialThinking partialThinking, PartialThinkingContext context) {
            turn.output.stream.writes(context.streamingHandle());
            turn.guarded(() -> handler.onPartialThinking(partialThinking, context));
        }

        @Override
        public void onPartialToolCall(PartialToolCall partialToolCall) {
            turn.guarded(() -> handler.onPartialToolCall(withFinalId(partialToolCall)));
        }

        @Override
        public void onPartialToolCall(PartialToolCall partialToolCall, PartialToolCallContext context) {
            turn.output.stream.writes(context.streamingHandle());
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
            run.watch.within(() -> turn.guarded(() -> {
                turn.output.requireEnd(response, model.provider());
                ChatResponse received = turn.output.received(response, ids, model.provider());
                if (!received.aiMessage().hasToolExecutionRequests()) {
                    turn.afterFinalMessage(() -> complete(handler, received));
                    return;
                }
                turn.gate(received.aiMessage()).ifPresent(message -> {
                    announce(message, handler);
                    complete(handler, received.toBuilder().aiMessage(message).build());
                });
            }));
        }

        @Override
        public void onError(Throwable error) {
            call.ended(Ending.FAILED);
            turn.output.failed(error);
            run.watch.within(() -> turn.guarded(() -> handler.onError(error)));
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
}
