package io.holdpoint.internal.aiservice;

import com.fasterxml.jackson.databind.JsonNode;
import dev.langchain4j.memory.ChatMemory;
import dev.langchain4j.model.chat.response.ChatResponse;
import dev.langchain4j.service.TokenStream;
import io.holdpoint.TurnFunction;
import io.holdpoint.UserTurn;
import io.holdpoint.internal.agent.AgentConfig;
import io.holdpoint.internal.agent.RunHooks;
import io.holdpoint.internal.memory.ChatMessageJson;
import io.holdpoint.internal.turn.Turn;
import io.holdpoint.store.TurnRecord;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Makes the one call of the AI Service, blocking or streaming, and tells the session how it ended. */
public final class AiServiceCall<A> {

    private final TurnFunction<A> function;
    private final AiServiceFactory<A> services;
    private final Turn session;
    private final ChatMemory memory;
    private final RunHooks<A> hooks;

    public AiServiceCall(
            AgentConfig<A> settings, AiServiceFactory<A> services, Turn session, ChatMemory memory, RunHooks<A> hooks) {
        this.function = settings.turnFunction.orElseThrow();
        this.services = services;
        this.session = session;
        this.memory = memory;
        this.hooks = hooks;
    }

    public void make(TurnRecord record) {
        session.guarded(() -> {
            session.begins();
            UserTurn turn = new UserTurn(
                    session.threadId(),
                    ChatMessageJson.readUserMessage(record.userMessage()).contents(),
                    session.tools().scope().caller(),
                    hooks.forwardedProps(),
                    session.state().get());
            Object value;
            try {
                value = function.apply(services.build(session, turn, memory, hooks), turn);
            } catch (HoldSignal held) {
                return;
            }
            if (session.isOver()) {
                return;
            }
            session.preparation().returned(value);
            if (value instanceof TokenStream stream) {
                stream(stream);
            } else {
                session.completed(value, text(value));
            }
        });
    }

    private void stream(TokenStream stream) {
        stream.onPartialResponse(session::partialText)
                .onPartialThinking(partial -> session.partialThinking(partial.text()))
                .onPartialToolCall(
                        partial -> session.partialToolCall(partial.id(), partial.name(), partial.partialArguments()))
                .onCompleteResponse(response -> session.completed(response, text(response)))
                .onError(session::failed)
                .start();
    }

    /** A message that calls tools ends a turn only if its tools return at once: its text has been said. */
    private static String text(ChatResponse response) {
        return response.aiMessage().hasToolExecutionRequests()
                ? ""
                : Optional.ofNullable(response.aiMessage().text()).orElse("");
    }

    private String text(@Nullable Object value) {
        return FinalValue.text(value).or(session::finalText).orElseGet(() -> {
            JsonNode json = FinalValue.json(value);
            return json == null ? "" : json.toString();
        });
    }
}
