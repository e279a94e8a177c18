package io.holdpoint.internal.aiservice;

import dev.langchain4j.data.message.ChatMessage;
import dev.langchain4j.data.message.UserMessage;
import dev.langchain4j.guardrail.ChatExecutor;
import dev.langchain4j.guardrail.InputGuardrailRequest;
import dev.langchain4j.guardrail.InputGuardrailResult;
import dev.langchain4j.guardrail.OutputGuardrailRequest;
import dev.langchain4j.guardrail.OutputGuardrailResult;
import dev.langchain4j.model.chat.response.ChatResponse;
import dev.langchain4j.service.guardrail.GuardrailService;
import io.holdpoint.internal.lease.RunStop.CallingThread;
import io.holdpoint.internal.turn.TurnPreparation;
import java.util.List;
import java.util.Optional;

/**
 * The agent's guardrails as its turns use them. Input guardrails come right after the user message is augmented: here the
 * prepared message is noted, and put back, without asking them again, when the turn is continued.
 */
final class TurnGuardrails implements GuardrailService {

    private final GuardrailService shared;

    TurnGuardrails(GuardrailService shared) {
        this.shared = shared;
    }

    @Override
    public Class<?> aiServiceClass() {
        return shared.aiServiceClass();
    }

    @Override
    public <MethodKey> boolean hasInputGuardrails(MethodKey method) {
        return true;
    }

    @Override
    public <MethodKey> UserMessage executeGuardrails(MethodKey method, InputGuardrailRequest request) {
        AiServiceCall call = AiServiceCall.present();
        TurnPreparation turn = call.turn.preparation;
        Optional<UserMessage> before = turn.userMessage();
        if (before.isPresent()) {
            return before.get();
        }
        UserMessage prepared =
                turn.augmented().isPresent() ? turn.augmented().get() : call.text.restored(request.userMessage());
        if (shared.hasInputGuardrails(method)) {
            prepared = shared.executeGuardrails(
                    method,
                    InputGuardrailRequest.builder()
                            .userMessage(prepared)
                            .commonParams(call.text.restored(request.requestParams()))
                            .build());
        }
        turn.prepares(prepared);
        return prepared;
    }

    @Override
    public <MethodKey> InputGuardrailResult executeInputGuardrails(MethodKey method, InputGuardrailRequest request) {
        return shared.executeInputGuardrails(method, request);
    }

    @Override
    public <MethodKey> OutputGuardrailResult executeOutputGuardrails(MethodKey method, OutputGuardrailRequest request) {
        AiServiceCall call = AiServiceCall.present();
        return shared.executeOutputGuardrails(
                method,
                OutputGuardrailRequest.builder()
                        .responseFromLLM(request.responseFromLLM())
                        .chatExecutor(new Reprompts(request.chatExecutor(), call))
                        .requestParams(call.text.restored(request.requestParams()))
                        .build());
    }

    @Override
    public <MethodKey> boolean hasOutputGuardrails(MethodKey method) {
        return shared.hasOutputGuardrails(method);
    }

    /** Asks the model for a call, on whatever thread a guardrail does. */
    private record Reprompts(ChatExecutor executor, AiServiceCall call) implements ChatExecutor {

        @Override
        public ChatResponse execute() {
            try (CallingThread.Scope here = call.enter()) {
                return executor.execute();
            }
        }

        @Override
        public ChatResponse execute(List<ChatMessage> messages) {
            try (CallingThread.Scope here = call.enter()) {
                return executor.execute(messages);
            }
        }
    }
}
