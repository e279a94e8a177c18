package io.holdpoint.internal.run;

import com.fasterxml.jackson.databind.JsonNode;
import dev.langchain4j.memory.ChatMemory;
import dev.langchain4j.model.chat.response.ChatResponse;
import dev.langchain4j.service.TokenStream;
import io.holdpoint.Turn;
import io.holdpoint.internal.hook.RunHooks;
import io.holdpoint.store.TurnRecord;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Makes the one call of the AI Service, blocking or streaming, and tells the session how it ended. */
final class TurnCall<A> {

    private final AgentSettings<A> settings;
    private final TurnServices<A> services;
    private final TurnSession session;
    private final ChatMemory memory;
    private final RunHooks<A> hooks;

    TurnCall(
            AgentSettings<A> settings,
            TurnServices<A> services,
            TurnSession session,
            ChatMemory memory,
            RunHooks<A> hooks) {
        this.settings = settings;
        this.services = services;
        this.session = session;
        this.memory = memory;
        this.hooks = hooks;
    }

    void make(TurnRecord record) {
        session.guarded(() -> {
            session.begins();
            Turn turn = new Turn(
                    session.threadId(),
                    Json.readUserMessage(record.userMessage()).contents());
            Object value;
            try {
                value = settings.turnFunction().apply(services.build(session, memory, hooks), turn);
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
