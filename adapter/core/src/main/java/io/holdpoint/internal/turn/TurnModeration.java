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
 * which is after the gate: a batch waits for it here, so that nobody is asked about what is flagged. What passed is not
 * moderated again when the turn is continued.
 */
final class TurnModeration implements ModerationModel {

    private final ModerationModel model;
    private final boolean passed;
    private final CompletableFuture<Moderation> outcome = new CompletableFuture<>();

    /**
     * @param passed whether a batch of the turn was gated before
     */
    TurnModeration(ModerationModel model, boolean passed) {
        this.model = model;
        this.passed = passed;
    }

    /** What an AI Service calls for a method that is annotated. */
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

    /**
     * Waits for the outcome; only to be called if the AI Service asked.
     *
     * @throws dev.langchain4j.service.ModerationException if the messages are flagged
     */
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
