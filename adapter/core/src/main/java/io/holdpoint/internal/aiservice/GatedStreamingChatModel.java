package io.holdpoint.internal.aiservice;

import dev.langchain4j.agent.tool.ToolExecutionRequest;
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
import io.holdpoint.internal.lease.RunStop.CallingThread;
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
 * The application's streaming model: sees each complete message of a turn before any of its tools runs, and gates it. A
 * held message is never handed on. On a continued turn the first answer is the stored message.
 */
final class GatedStreamingChatModel implements StreamingChatModel {

    /** The application's model for the run. */
    private static StreamingChatModel model() {
        return AiServiceCall.present().streamingChatModel.orElseThrow();
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
        AiServiceCall call = AiServiceCall.present();
        try (CallingThread.Scope own = call.run.stop.caller.own()) {
            new Answer(call, handler).to(request, options);
        }
    }

    @Override
    public ChatRequestParameters defaultRequestParameters() {
        return model().defaultRequestParameters();
    }

    @Override
    public List<ChatModelListener> listeners() {
        return model().listeners();
    }

    @Override
    public ModelProvider provider() {
        return model().provider();
    }

    @Override
    public Set<Capability> supportedCapabilities() {
        return model().supportedCapabilities();
    }

    /** The answer to one request of the AI Service, on the way to its handler. */
    private static final class Answer {

        private final AiServiceCall call;
        private final Run run;
        private final Turn turn;
        private final StreamingChatModel model;
        private final StreamingChatResponseHandler handler;

        Answer(AiServiceCall call, StreamingChatResponseHandler handler) {
            this.call = call;
            this.run = call.run;
            this.turn = call.turn;
            this.model = model();
            this.handler = handler;
        }

        void to(ChatRequest request, Optional<ChatRequestOptions> options) {
            Optional<AiMessage> stored = turn.output.takeStored();
            if (stored.isPresent()) {
                if (!turn.asksAgain()) {
                    call(ChatResponse.builder().aiMessage(stored.get()).build());
                }
                return;
            }
            if (turn.output.isComplete()) {
                toReprompt(request, options);
                return;
            }
            if (turn.pauses()) {
                return;
            }
            Optional<ChatResponse> end = turn.endsWithText();
            if (end.isPresent()) {
                say(end.get());
            } else {
                call.moderates(request.messages());
                RunWatch.Part asked = run.watch.modelCall(model.provider().name());
                ask(request, options, asked, new GatingHandler(asked));
            }
        }

        /** Asks the model, which may answer later and on threads of its own. */
        private void ask(
                ChatRequest request,
                Optional<ChatRequestOptions> options,
                RunWatch.Part asked,
                StreamingChatResponseHandler answered) {
            ChatRequest withContext = turn.context.addTo(request);
            RunWatch.Scope scope = asked.enter();
            try {
                turn.preparation.requireTokens();
                try (CallingThread.Scope foreign = run.stop.caller.foreign()) {
                    if (options.isPresent()) {
                        model.chat(withContext, options.get(), answered);
                    } else {
                        model.chat(withContext, answered);
                    }
                }
            } catch (Throwable e) { // checked ones too: not every model is written in Java
                asked.ended(Ending.FAILED);
                turn.output.failed(e);
                throw e;
            } finally {
                scope.close();
            }
        }

        private void say(ChatResponse end) {
            turn.guarded(() -> {
                handler.onPartialResponse(end.aiMessage().text());
                turn.afterFinalMessage(() -> complete(end));
            });
        }

        /** Tells the AI Service about each complete call, which is what starts concurrent execution, and hands the message on. */
        private void call(ChatResponse response) {
            List<ToolExecutionRequest> calls = response.aiMessage().toolExecutionRequests();
            try (CallingThread.Scope here = call.enter()) {
                for (int i = 0; i < calls.size(); i++) {
                    handler.onCompleteToolCall(new CompleteToolCall(i, calls.get(i)));
                }
            }
            complete(response);
        }

        /** Hands on to LangChain4j, which runs the tools, or waits for them. */
        private void complete(ChatResponse response) {
            try (CallingThread.Scope foreign = run.stop.caller.foreign();
                    CallingThread.Scope here = call.enter()) {
                handler.onCompleteResponse(response);
            }
        }

        /**
         * A guardrail asks again and waits for the answer. LangChain4j's waiting handler does not count errors, so it would wait
         * for ever if the model fails; the waiting is done here instead.
         */
        private void toReprompt(ChatRequest request, Optional<ChatRequestOptions> options) {
            CompletableFuture<ChatResponse> answer = new CompletableFuture<>();
            RunWatch.Part asked = run.watch.modelCall(model.provider().name());
            ask(request, options, asked, new StreamingChatResponseHandler() {
                @Override
                public void onCompleteResponse(ChatResponse response) {
                    asked.ended(Ending.ANSWERED);
                    answer.complete(response);
                }

                @Override
                public void onError(Throwable error) {
                    asked.ended(Ending.FAILED);
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
            complete(turn.output.receivedInReprompt(response, model.provider()));
        }

        /**
         * Stands between the model and the AI Service: hands on what streams, keeps complete tool calls back until the gate has
         * decided about the whole message, and turns an exception of any callback into the failure of the turn.
         */
        private final class GatingHandler implements StreamingChatResponseHandler {

            private final RunWatch.Part asked;
            private final ToolCallIds ids = turn.output.toolCallIds();
            private final AtomicBoolean isComplete = new AtomicBoolean();

            GatingHandler(RunWatch.Part asked) {
                this.asked = asked;
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
                if (!isComplete.compareAndSet(false, true)) {
                    return; // a model that repeats itself must not have its tools run twice
                }
                asked.ended(Ending.ANSWERED);
                run.watch.within(() -> turn.guarded(() -> {
                    turn.output.requireEnd(response, model.provider());
                    ChatResponse received = turn.output.received(response, ids, model.provider());
                    if (!received.aiMessage().hasToolExecutionRequests()) {
                        turn.afterFinalMessage(() -> complete(received));
                        return;
                    }
                    Optional<AiMessage> gated = turn.gate(received.aiMessage());
                    if (gated.isPresent()) {
                        call(received.toBuilder().aiMessage(gated.get()).build());
                    }
                }));
            }

            @Override
            public void onError(Throwable error) {
                asked.ended(Ending.FAILED);
                turn.output.failed(error);
                run.watch.within(() -> turn.guarded(() -> call.within(() -> handler.onError(error))));
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
}
