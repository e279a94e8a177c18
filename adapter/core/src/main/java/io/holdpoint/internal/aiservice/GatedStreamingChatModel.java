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
import dev.langchain4j.model.chat.response.StreamingChatResponseHandler;
import io.holdpoint.hook.ObservedWork.Ending;
import io.holdpoint.internal.journal.RunWatch;
import io.holdpoint.internal.turn.Turn;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * The application's streaming model for one turn: sees each complete message before any of its tools runs, and gates it. A
 * held message is never handed on. On a continued turn the first answer is the stored message.
 */
final class GatedStreamingChatModel implements StreamingChatModel {

    private final StreamingChatModel model;
    private final Turn turn;

    GatedStreamingChatModel(StreamingChatModel model, Turn turn) {
        this.model = model;
        this.turn = turn;
    }

    @Override
    public void chat(ChatRequest request, StreamingChatResponseHandler handler) {
        answer(handler, gated -> model.chat(turn.withContext(request), gated));
    }

    @Override
    public void chat(ChatRequest request, ChatRequestOptions options, StreamingChatResponseHandler handler) {
        answer(handler, gated -> model.chat(turn.withContext(request), options, gated));
    }

    private void answer(StreamingChatResponseHandler handler, Consumer<StreamingChatResponseHandler> ask) {
        Optional<AiMessage> stored = turn.takeReplay();
        if (stored.isPresent()) {
            if (!turn.asksAgain()) {
                replay(stored.get(), handler);
            }
        } else if (turn.hasFinalMessage()) {
            answerReprompt(handler, ask);
        } else if (!turn.pauses()) {
            turn.endsWithText()
                    .ifPresentOrElse(
                            end -> say(end, handler),
                            () -> asked(call -> new GatingResponseHandler(turn, handler, model.provider(), call), ask));
        }
    }

    /** The model may answer later, on threads of its own. */
    private void asked(
            Function<RunWatch.Part, StreamingChatResponseHandler> handler, Consumer<StreamingChatResponseHandler> ask) {
        RunWatch.Part call = turn.watch().modelCall(model.provider().name());
        call.within(() -> {
            ask.accept(handler.apply(call));
            return call;
        });
    }

    private void say(ChatResponse end, StreamingChatResponseHandler handler) {
        turn.guarded(() -> {
            handler.onPartialResponse(end.aiMessage().text());
            turn.afterFinalMessage(() -> handler.onCompleteResponse(end));
        });
    }

    private static void replay(AiMessage stored, StreamingChatResponseHandler handler) {
        announce(stored, handler);
        handler.onCompleteResponse(ChatResponse.builder().aiMessage(stored).build());
    }

    /** Tells the AI Service about each complete call, which is what starts concurrent execution. */
    static void announce(AiMessage message, StreamingChatResponseHandler handler) {
        for (int i = 0; i < message.toolExecutionRequests().size(); i++) {
            handler.onCompleteToolCall(
                    new CompleteToolCall(i, message.toolExecutionRequests().get(i)));
        }
    }

    /**
     * A guardrail asks again, and waits: for ever if the model fails, because LangChain4j's waiting handler does not count
     * errors. So the waiting is done here.
     */
    private void answerReprompt(StreamingChatResponseHandler handler, Consumer<StreamingChatResponseHandler> ask) {
        CompletableFuture<ChatResponse> answer = new CompletableFuture<>();
        asked(
                call -> new StreamingChatResponseHandler() {
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
                },
                ask);
        turn.stream().isWaitedFor(() -> answer.completeExceptionally(new IllegalStateException("the turn has ended")));
        ChatResponse response;
        try {
            response = answer.join();
        } catch (CompletionException e) {
            throw e.getCause() instanceof RuntimeException cause ? cause : e;
        }
        handler.onCompleteResponse(turn.receivedInReprompt(response, model.provider()));
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
}
