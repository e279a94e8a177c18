package io.holdpoint.internal.aiservice;

import com.fasterxml.jackson.databind.JsonNode;
import dev.langchain4j.memory.ChatMemory;
import dev.langchain4j.model.chat.response.ChatResponse;
import dev.langchain4j.service.Result;
import dev.langchain4j.service.TokenStream;
import io.holdpoint.UserTurn;
import io.holdpoint.agui.AguiCodec;
import io.holdpoint.internal.agent.AgentConfig;
import io.holdpoint.internal.agent.AiServiceMethod;
import io.holdpoint.internal.agent.RunHooks;
import io.holdpoint.internal.events.AssistantText;
import io.holdpoint.internal.lease.CallingThread;
import io.holdpoint.internal.turn.Failures;
import io.holdpoint.internal.turn.Run;
import io.holdpoint.internal.turn.Turn;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Makes the one call of the AI Service, blocking or streaming, and tells the turn how it ended. */
public final class AiServiceCall<A> {

    private static final Logger LOG = LoggerFactory.getLogger(AiServiceCall.class);

    private final AgentConfig<A> settings;
    private final AiServiceFactory<A> services;
    private final Run run;
    private final Turn turn;
    private final ChatMemory memory;
    private final RunHooks<A> hooks;

    public AiServiceCall(
            AgentConfig<A> settings,
            AiServiceFactory<A> services,
            Run run,
            Turn turn,
            ChatMemory memory,
            RunHooks<A> hooks) {
        this.settings = settings;
        this.services = services;
        this.run = run;
        this.turn = turn;
        this.memory = memory;
        this.hooks = hooks;
    }

    public void make(JsonNode forwardedProps) {
        if (turn.isOver()) {
            return;
        }
        try {
            turn.begins();
            UserTurn userTurn = new UserTurn(
                    run.threadId,
                    turn.preparation.said().contents(),
                    turn.gate.caller(),
                    forwardedProps,
                    run.state.get());
            BiFunction<A, UserTurn, @Nullable Object> call = settings.turnFunction.orElseGet(() -> methodOf(userTurn));
            boolean addsMedia = call instanceof AiServiceMethod<A> method && !method.takesContents();
            A service = services.build(run, turn, userTurn, addsMedia, memory, hooks);
            Object value;
            CallingThread.Scope foreign = run.stop.caller.foreign();
            try {
                value = call.apply(service, userTurn);
            } finally {
                foreign.close();
            }
            took(value);
        } catch (GatedChatModel.HoldSignal held) {
            LOG.trace("A batch of thread {} is held", run.threadId);
        } catch (Throwable e) {
            turn.failed(e);
        }
    }

    /** The method that has begun the turn, or else the one that is chosen for it. */
    private AiServiceMethod<A> methodOf(UserTurn userTurn) {
        if (settings.methods.size() == 1) {
            return settings.methods.get(0);
        }
        Optional<String> before = turn.preparation.takenBefore();
        Predicate<AiServiceMethod<A>> wanted;
        String name;
        if (before.isPresent()) {
            name = before.get();
            wanted = method -> method.hasTaken(name);
        } else {
            name = settings.methodChoice.orElseThrow().apply(userTurn);
            wanted = method -> method.name().equals(name);
        }
        return settings.methods.stream()
                .filter(wanted)
                .findFirst()
                .orElseThrow(() ->
                        new Failures.MisuseException("No method of %s that method(turn -> ...) may choose is \"%s\": %s"
                                .formatted(
                                        settings.serviceClass.getName(),
                                        name,
                                        settings.methods.stream()
                                                .map(AiServiceMethod::name)
                                                .toList())));
    }

    /** The turn function has returned a value, or a stream that is to be started. */
    private void took(@Nullable Object value) {
        if (turn.isOver()) {
            return;
        }
        turn.preparation.returned(value);
        if (value instanceof TokenStream stream) {
            start(stream);
        } else {
            turn.completed(value, text(value));
        }
    }

    private void start(TokenStream stream) {
        AssistantText text = turn.output.text;
        stream.onPartialResponse(text::partial)
                .onPartialThinking(partial -> turn.output.reasoning.partial(partial.text()))
                .onPartialToolCall(
                        partial -> text.partialToolCall(partial.id(), partial.name(), partial.partialArguments()))
                .onCompleteResponse(response -> inOwnCode(() -> turn.completed(response, text(response))))
                .onError(error -> inOwnCode(() -> turn.failed(error)))
                .start();
    }

    private void inOwnCode(Runnable callback) {
        CallingThread.Scope own = run.stop.caller.own();
        try {
            callback.run();
        } finally {
            own.close();
        }
    }

    /** A message that calls tools ends a turn only if its tools return at once; its text has been said before. */
    private static String text(ChatResponse response) {
        String text = response.aiMessage().text();
        return text == null || response.aiMessage().hasToolExecutionRequests() ? "" : text;
    }

    private String text(@Nullable Object value) {
        if (content(value) instanceof String text) {
            return text;
        }
        return turn.output.finalText().orElseGet(() -> {
            JsonNode json = json(value);
            return json == null ? "" : json.toString();
        });
    }

    /** The JSON of a returned value; {@code null} if the value is a text, or if it cannot be written. */
    public static @Nullable JsonNode json(@Nullable Object value) {
        Object content = content(value);
        if (content == null || content instanceof String || content instanceof ChatResponse) {
            return null;
        }
        try {
            return AguiCodec.mapper().valueToTree(content);
        } catch (IllegalArgumentException e) {
            LOG.warn(
                    "The AI Service's {} cannot be written as JSON; the run ends without a result",
                    content.getClass(),
                    e);
            return null;
        }
    }

    private static @Nullable Object content(@Nullable Object value) {
        return value instanceof Result<?> result ? result.content() : value;
    }
}
