package io.holdpoint.internal.turn;

import dev.langchain4j.data.message.ChatMessage;
import dev.langchain4j.model.ModelProvider;
import dev.langchain4j.model.moderation.Moderation;
import dev.langchain4j.model.moderation.ModerationModel;
import dev.langchain4j.model.moderation.listener.ModerationModelListener;
import dev.langchain4j.model.output.Response;
import dev.langchain4j.service.AiServices;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * Moderation for one turn. LangChain4j moderates beside the model and looks at the outcome when the model has answered,
 * which is after the gate: a batch waits for the outcome here, so that no person is asked about flagged messages. Messages that
 * passed are not moderated again when the turn is continued.
 */
final class TurnModeration implements ModerationModel {

    private final ModerationModel model;
    private final boolean passed;
    private final CompletableFuture<Moderation> outcome = new CompletableFuture<>();

    /** With {@code passed}, an earlier run has gated a batch of the turn, so the messages are not flagged. */
    TurnModeration(ModerationModel model, boolean passed) {
        this.model = model;
        this.passed = passed;
    }

    /** Called by the AI Service for a method that is annotated. */
    @Override
    public Response<Moderation> moderate(List<ChatMessage> messages) {
        if (passed) {
            return Response.from(Moderation.notFlagged());
        }
        try {
            Response<Moderation> response = model.moderate(messages);
            outcome.complete(response.content());
            return response;
        } catch (RuntimeException | Error e) {
            outcome.completeExceptionally(e);
            throw e;
        }
    }

    /** Waits for the outcome and throws if the messages are flagged; only to be called if the AI Service has asked. */
    void requirePassed() {
        if (!passed) {
            AiServices.verifyModerationIfNeeded(outcome);
        }
    }

    @Override
    public List<ModerationModelListener> listeners() {
        return model.listeners();
    }

    @Override
    public ModelProvider provider() {
        return model.provider();
    }

    @Override
    public String modelName() {
        return model.modelName();
    }
}
