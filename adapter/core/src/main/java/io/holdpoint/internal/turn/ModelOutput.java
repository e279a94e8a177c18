package io.holdpoint.internal.turn;

import dev.langchain4j.data.message.AiMessage;
import dev.langchain4j.exception.ContentFilteredException;
import dev.langchain4j.exception.UnsupportedFeatureException;
import dev.langchain4j.model.ModelProvider;
import dev.langchain4j.model.chat.response.ChatResponse;
import dev.langchain4j.model.chat.response.StreamingHandle;
import dev.langchain4j.model.output.FinishReason;
import io.holdpoint.ErrorCode;
import io.holdpoint.internal.events.AssistantText;
import io.holdpoint.internal.memory.ChatMessageJson;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The messages of the model during one turn: the stored one that an earlier run has got, the one that it is writing, and the
 * final one. Thread-safe.
 */
public final class ModelOutput {

    private static final Set<ModelProvider> GIVE_FINISH_REASONS = EnumSet.of(
            ModelProvider.OPEN_AI, ModelProvider.ANTHROPIC, ModelProvider.GOOGLE_AI_GEMINI, ModelProvider.MISTRAL_AI);

    private final Run run;
    public final AssistantText text;
    /** The answer that the model is writing, and the way to stop it. */
    public final ModelStream stream = new ModelStream();

    private volatile Optional<String> stored;
    private volatile Optional<ChatResponse> last = Optional.empty();
    private volatile boolean complete;
    private volatile Optional<String> finalText = Optional.empty();
    private volatile Optional<Throwable> failure = Optional.empty();

    ModelOutput(Run run, Optional<String> stored) {
        this.run = run;
        this.stored = stored;
        this.text = new AssistantText(run.events, run.config.reasoning.orElse(true));
    }

    /** The message that the turn goes on from, instead of asking the model; given once. */
    public Optional<AiMessage> takeStored() {
        Optional<String> json = stored;
        stored = Optional.empty();
        return json.isPresent() ? Optional.of(ChatMessageJson.read(AiMessage.class, json.get())) : Optional.empty();
    }

    /** Tells whether the next answer is the message that the turn goes on from. */
    public boolean hasStored() {
        return stored.isPresent();
    }

    /** The latest answer that came from the model in this run. */
    public Optional<ChatResponse> last() {
        return last;
    }

    /** Ids for the tool calls of the message that the model is about to write. */
    public ToolCallIds toolCallIds() {
        return new ToolCallIds(run::hasToolCall);
    }

    /** Takes a complete answer of the model; returns it with the final ids of its tool calls. */
    public ChatResponse received(ChatResponse response, ToolCallIds ids, ModelProvider provider) {
        count(response, provider);
        last = Optional.of(response);
        AiMessage message = ids.applyTo(response.aiMessage());
        requireAnswer(response.finishReason(), message);
        text.endsReasoning(message.thinking());
        complete = !message.hasToolExecutionRequests();
        finalText = complete ? Optional.ofNullable(message.text()) : Optional.empty();
        return message == response.aiMessage()
                ? response
                : response.toBuilder().aiMessage(message).build();
    }

    /**
     * Refuses what came of a stream that was cut: some of LangChain4j's models report no error then, nor one that the provider
     * sends as the last part, but the finish reason is missing, which these providers always give. Others need not.
     */
    public void requireEnd(ChatResponse streamed, ModelProvider provider) {
        if (streamed.finishReason() == null && GIVE_FINISH_REASONS.contains(provider)) {
            throw new Failures.TurnException(
                    ErrorCode.MODEL_ANSWER_INCOMPLETE, "the model's stream ended without a finish reason");
        }
    }

    /** An answer without content must not end the turn as if it were one. */
    private static void requireAnswer(@Nullable FinishReason reason, AiMessage message) {
        if (reason == FinishReason.CONTENT_FILTER) {
            throw new ContentFilteredException("the model's provider filtered the answer");
        }
        if (reason == FinishReason.LENGTH && message.hasToolExecutionRequests()) {
            throw new Failures.TurnException(
                    ErrorCode.MODEL_ANSWER_INCOMPLETE, "the model's tool calls were cut at its token limit");
        }
        String said = message.text();
        if (!message.hasToolExecutionRequests()
                && (said == null || said.isBlank())
                && message.attributes().isEmpty()) {
            throw new Failures.TurnException(
                    ErrorCode.MODEL_ANSWER_EMPTY, "the model answered with neither text nor tool calls");
        }
    }

    /** Takes an answer to a guardrail's re-prompt, which leaves the turn as it is. */
    public ChatResponse receivedInReprompt(ChatResponse response, ModelProvider provider) {
        count(response, provider);
        return response;
    }

    private void count(ChatResponse response, ModelProvider provider) {
        run.spends(provider, response.modelName(), response.tokenUsage());
        run.journal.audit.proposedBy(UsageMeter.of(provider, response));
    }

    /** Makes a text that the model has not written its final message. */
    ChatResponse endsWith(String said) {
        complete = true;
        finalText = Optional.of(said);
        return ChatResponse.builder().aiMessage(AiMessage.from(said)).build();
    }

    /** Checks whether the model has given a message without tool calls: further ones answer a guardrail's re-prompts. */
    public boolean isComplete() {
        return complete;
    }

    /** The text of the final message, unless output guardrails may have changed it. */
    public Optional<String> finalText() {
        return text.isOnlyFinal() ? Optional.empty() : finalText;
    }

    /** The model threw or reported something. It becomes the failure of the turn unless the application handles it. */
    public void failed(Throwable cause) {
        failure = Optional.of(cause);
    }

    boolean isCauseOf(Throwable ofTurn) {
        return failure.filter(Failures.causes(ofTurn)::contains).isPresent();
    }

    /**
     * The answer that a model is writing, and the way to stop it. LangChain4j gives the handle for that with each part of an answer,
     * so a model that has not begun is stopped at its first part. Not every model can stop; later parts are dropped then.
     * Thread-safe.
     */
    public static final class ModelStream {

        private static final Logger LOG = LoggerFactory.getLogger(ModelStream.class);

        private Optional<StreamingHandle> handle = Optional.empty();
        private Optional<Runnable> waiting = Optional.empty();
        private boolean cancelled;

        /** A part of an answer has come. */
        public void writes(StreamingHandle given) {
            synchronized (this) {
                handle = Optional.of(given);
                if (!cancelled) {
                    return;
                }
            }
            stop(given);
        }

        /** A thread waits for an answer; {@code giveUp} releases it, at once if the stream is cancelled already. */
        public void isWaitedFor(Runnable giveUp) {
            synchronized (this) {
                waiting = Optional.of(giveUp);
                if (!cancelled) {
                    return;
                }
            }
            giveUp.run();
        }

        public void cancel() {
            Optional<StreamingHandle> present;
            Optional<Runnable> kept;
            synchronized (this) {
                cancelled = true;
                present = handle;
                kept = waiting;
            }
            present.ifPresent(ModelStream::stop);
            kept.ifPresent(Runnable::run);
        }

        private static void stop(StreamingHandle handle) {
            try {
                if (!handle.isCancelled()) {
                    handle.cancel();
                }
            } catch (UnsupportedFeatureException e) {
                LOG.debug("The model cannot be told to stop; what it goes on to say is dropped", e);
            } catch (Throwable e) { // a missing class too, and not every model is written in Java
                LOG.warn("The model could not be told to stop; what it goes on to say is dropped", e);
            }
        }
    }
}
