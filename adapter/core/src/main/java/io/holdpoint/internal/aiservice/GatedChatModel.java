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
import io.holdpoint.hook.ObservedWork;
import io.holdpoint.internal.journal.RunWatch;
import io.holdpoint.internal.turn.Turn;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

/**
 * The application's model for one turn: sees each message before any of its tools runs, and gates it. A held message
 * leaves the AI Service by a {@link HoldSignal}. On a continued turn the first answer is the stored message.
 */
final class GatedChatModel implements ChatModel {

    private final ChatModel model;
    private final Turn turn;

    GatedChatModel(ChatModel model, Turn turn) {
        this.model = model;
        this.turn = turn;
    }

    @Override
    public ChatResponse chat(ChatRequest request) {
        return answer(() -> asked(() -> model.chat(turn.withContext(request))));
    }

    @Override
    public ChatResponse chat(ChatRequest request, ChatRequestOptions options) {
        return answer(() -> asked(() -> model.chat(turn.withContext(request), options)));
    }

    private ChatResponse asked(Supplier<ChatResponse> ask) {
        RunWatch.Part call = turn.watch().modelCall(model.provider().name());
        ChatResponse response = turn.asking(() -> call.within(ask));
        call.ended(ObservedWork.Ending.ANSWERED);
        return response;
    }

    private ChatResponse answer(Supplier<ChatResponse> ask) {
        Optional<AiMessage> stored = turn.takeReplay();
        if (stored.isPresent()) {
            if (turn.asksAgain()) {
                throw new HoldSignal();
            }
            return ChatResponse.builder().aiMessage(stored.get()).build();
        }
        if (turn.pauses()) {
            throw new HoldSignal();
        }
        if (turn.hasFinalMessage()) {
            return turn.receivedInReprompt(ask.get(), model.provider());
        }
        Optional<ChatResponse> end = turn.endsWithText();
        if (end.isPresent()) {
            return end.get();
        }
        ChatResponse response = turn.received(ask.get(), turn.toolCallIds(), model.provider());
        if (!response.aiMessage().hasToolExecutionRequests()) {
            return response;
        }
        AiMessage message = turn.gate(response.aiMessage()).orElseThrow(HoldSignal::new);
        return response.toBuilder().aiMessage(message).build();
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
