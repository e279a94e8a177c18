package io.holdpoint.testing;

import dev.langchain4j.data.message.Content;
import dev.langchain4j.service.AiServices;
import dev.langchain4j.service.TokenStream;
import dev.langchain4j.service.UserMessage;
import io.holdpoint.Holdpoint;
import io.holdpoint.HoldpointBuilder;
import java.util.List;
import java.util.function.Consumer;

/** The shapes of AI Service that a rule must hold for. */
public enum Shape {
    STREAMING(true, false),
    STREAMING_CONCURRENT(true, true),
    BLOCKING(false, false),
    BLOCKING_CONCURRENT(false, true);

    private final boolean streaming;
    private final boolean concurrent;

    Shape(boolean streaming, boolean concurrent) {
        this.streaming = streaming;
        this.concurrent = concurrent;
    }

    /** Whether the tools of a message run at the same time. */
    public boolean isConcurrent() {
        return concurrent;
    }

    public interface Streaming {
        TokenStream chat(@UserMessage List<Content> message);
    }

    public interface Blocking {
        String chat(@UserMessage List<Content> message);
    }

    public HoldpointBuilder<?> builder(ScriptedModel model) {
        return builder(model, service -> {});
    }

    /** An agent's builder; its runs work on the calling thread, whatever starts them. */
    public HoldpointBuilder<?> builder(ScriptedModel model, Consumer<AiServices<?>> customizer) {
        HoldpointBuilder<?> builder = streaming
                ? Holdpoint.builder(Streaming.class, (assistant, turn) -> assistant.chat(turn.contents()))
                        .customizer(service -> customize(service, customizer))
                : Holdpoint.builder(Blocking.class, (assistant, turn) -> assistant.chat(turn.contents()))
                        .customizer(service -> customize(service, customizer));
        return builder.chatModel(model).streamingChatModel(model).executor(Runnable::run);
    }

    private void customize(AiServices<?> service, Consumer<AiServices<?>> customizer) {
        if (concurrent) {
            service.executeToolsConcurrently();
        }
        customizer.accept(service);
    }
}
