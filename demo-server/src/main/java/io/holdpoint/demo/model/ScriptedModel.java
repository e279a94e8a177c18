package io.holdpoint.demo.model;

import dev.langchain4j.data.message.AiMessage;
import dev.langchain4j.model.ModelProvider;
import dev.langchain4j.model.chat.Capability;
import dev.langchain4j.model.chat.ChatModel;
import dev.langchain4j.model.chat.StreamingChatModel;
import dev.langchain4j.model.chat.listener.ChatModelListener;
import dev.langchain4j.model.chat.request.ChatRequest;
import dev.langchain4j.model.chat.request.ChatRequestParameters;
import dev.langchain4j.model.chat.response.ChatResponse;
import dev.langchain4j.model.chat.response.StreamingChatResponseHandler;
import dev.langchain4j.model.output.FinishReason;
import java.util.List;
import java.util.Set;
import java.util.UUID;

/**
 * A model that answers from a script, blocking or streaming, with the same answer to the same request.
 *
 * <p>It finds contacts, writes mails, transfers money and deletes records, one or several in a request, through the tools
 * {@code searchContacts}, {@code sendEmail}, {@code transferMoney} and {@code deleteRecords} as far as the request offers them,
 * and puts their results into words. Told to, it asks the user, through {@code askUser}, {@code confirm} and
 * {@code requestFilingDetails}. It streams on the calling thread. Token counts are words.
 *
 * <p>Thread-safe; keeps nothing between two requests.
 */
public final class ScriptedModel implements ChatModel, StreamingChatModel {

    /** The model name in requests and responses. */
    public static final String MODEL_NAME = "holdpoint-scripted";

    private final Runnable pause;

    /** Makes a model that streams as fast as it can. */
    public ScriptedModel() {
        this(() -> {});
    }

    /**
     * Makes a model that streams at a given pace.
     *
     * @param pause runs on the streaming thread after each piece of text or arguments; waiting in it makes the streaming
     *     visible
     */
    public ScriptedModel(Runnable pause) {
        this.pause = pause;
    }

    @Override
    public ChatResponse doChat(ChatRequest request) {
        AiMessage message = Script.answer(request);
        return ChatResponse.builder()
                .id("scripted_" + UUID.randomUUID())
                .modelName(MODEL_NAME)
                .aiMessage(message)
                .tokenUsage(Words.usage(request.messages(), message))
                .finishReason(message.hasToolExecutionRequests() ? FinishReason.TOOL_EXECUTION : FinishReason.STOP)
                .build();
    }

    @Override
    public void doChat(ChatRequest request, StreamingChatResponseHandler handler) {
        ChatResponse response;
        try {
            response = doChat(request);
        } catch (RuntimeException e) {
            handler.onError(e);
            return;
        }
        new ScriptedStream(handler, pause).play(response);
    }

    @Override
    public ChatRequestParameters defaultRequestParameters() {
        return ChatRequestParameters.builder().modelName(MODEL_NAME).build();
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
