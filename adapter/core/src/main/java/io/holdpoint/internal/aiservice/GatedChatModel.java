package io.holdpoint.internal.aiservice;

import dev.langchain4j.data.message.AiMessage;
import dev.langchain4j.model.ModelProvider;
import dev.langchain4j.model.chat.Capability;
import dev.langchain4j.model.chat.ChatModel;
import dev.langchain4j.model.chat.ChatRequestOptions;
import dev.langchain4j.model.chat.listener.ChatModelListener;
import dev.langchain4j.model.chat.request.ChatRequest;
import dev.langchain4j.model.chat.request.ChatRequestParameters;
import dev.langchain4j.model.chat.response.ChatResponse;
import io.holdpoint.hook.ObservedWork.Ending;
import io.holdpoint.internal.journal.RunWatch;
import io.holdpoint.internal.lease.RunStop.CallingThread;
import io.holdpoint.internal.turn.Run;
import io.holdpoint.internal.turn.Turn;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The application's model: sees each message of a turn before any of its tools runs, and gates it. A held message
 * leaves the AI Service by a {@link HoldSignal}. On a continued turn the first answer is the stored message.
 */
final class GatedChatModel implements ChatModel {

    /** The application's model for the run. */
    private static ChatModel model() {
        return AiServiceCall.present().chatModel.orElseThrow();
    }

    @Override
    public ChatResponse chat(ChatRequest request) {
        return chat(request, Optional.empty());
    }

    @Override
    public ChatResponse chat(ChatRequest request, ChatRequestOptions options) {
        return chat(request, Optional.of(options));
    }

    private ChatResponse chat(ChatRequest request, Optional<ChatRequestOptions> options) {
        AiServiceCall call = AiServiceCall.present();
        try (CallingThread.Scope own = call.run.stop.caller.own()) {
            return answer(call, request, options);
        }
    }

    private ChatResponse answer(AiServiceCall call, ChatRequest request, Optional<ChatRequestOptions> options) {
        ChatModel model = call.chatModel.orElseThrow();
        Turn turn = call.turn;
        Optional<AiMessage> stored = turn.output.takeStored();
        if (stored.isPresent()) {
            if (turn.asksAgain()) {
                throw new HoldSignal();
            }
            return ChatResponse.builder().aiMessage(stored.get()).build();
        }
        if (turn.pauses()) {
            throw new HoldSignal();
        }
        if (turn.output.isComplete()) {
            return turn.output.receivedInReprompt(ask(call, model, request, options), model.provider());
        }
        Optional<ChatResponse> end = turn.endsWithText();
        if (end.isPresent()) {
            return end.get();
        }
        call.moderates(request.messages());
        ChatResponse answer = ask(call, model, request, options);
        ChatResponse response = turn.output.received(answer, turn.output.toolCallIds(), model.provider());
        if (!response.aiMessage().hasToolExecutionRequests()) {
            turn.preparation.requireModerated();
            return response;
        }
        AiMessage message = turn.gate(response.aiMessage()).orElseThrow(HoldSignal::new);
        return response.toBuilder().aiMessage(message).build();
    }

    private static ChatResponse ask(
            AiServiceCall call, ChatModel model, ChatRequest request, Optional<ChatRequestOptions> options) {
        Run run = call.run;
        call.turn.preparation.requireTokens();
        ChatRequest withContext = call.turn.context.addTo(request);
        RunWatch.Part asked = run.watch.modelCall(model.provider().name());
        RunWatch.Scope scope = asked.enter();
        Ending how = Ending.FAILED;
        try {
            ChatResponse response;
            try (CallingThread.Scope foreign = run.stop.caller.foreign()) {
                response = options.isPresent() ? model.chat(withContext, options.get()) : model.chat(withContext);
            }
            how = Ending.ANSWERED;
            return response;
        } catch (Throwable e) { // checked ones too: not every model is written in Java
            call.turn.output.failed(e);
            throw e;
        } finally {
            scope.close();
            asked.ended(how);
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

    /**
     * Leaves a blocking AI Service when its batch is held. An {@code Error}, because LangChain4j tells its error listeners
     * about every {@code Exception}, and a hold is not an error.
     */
    static final class HoldSignal extends Error {

        private static final long serialVersionUID = 1L;

        HoldSignal() {
            super("the batch is held", null, false, false);
        }
    }
}
