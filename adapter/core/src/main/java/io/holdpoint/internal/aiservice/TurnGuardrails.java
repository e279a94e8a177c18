package io.holdpoint.internal.aiservice;

import dev.langchain4j.data.message.UserMessage;
import dev.langchain4j.guardrail.InputGuardrailRequest;
import dev.langchain4j.guardrail.InputGuardrailResult;
import dev.langchain4j.guardrail.OutputGuardrailRequest;
import dev.langchain4j.guardrail.OutputGuardrailResult;
import dev.langchain4j.service.guardrail.GuardrailService;
import io.holdpoint.internal.turn.TurnPreparation;
import java.util.Optional;

/**
 * The agent's guardrails as one turn uses them. Input guardrails come right after the user message is augmented: here the
 * prepared message is noted, and put back, without asking them again, when the turn is continued.
 */
final class TurnGuardrails implements GuardrailService {

    private final GuardrailService shared;
    private final TurnPreparation turn;
    private final TypedText text;

    TurnGuardrails(GuardrailService shared, TurnPreparation turn, TypedText text) {
        this.shared = shared;
        this.turn = turn;
        this.text = text;
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
        Optional<UserMessage> before = turn.userMessage();
        if (before.isPresent()) {
            return before.get();
        }
        UserMessage prepared = turn.augmented().orElseGet(() -> text.restored(request.userMessage()));
        if (shared.hasInputGuardrails(method)) {
            prepared = shared.executeGuardrails(
                    method,
                    InputGuardrailRequest.builder()
                            .userMessage(prepared)
                            .commonParams(text.restored(request.requestParams()))
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
        return shared.executeOutputGuardrails(
                method,
                OutputGuardrailRequest.builder()
                        .responseFromLLM(request.responseFromLLM())
                        .chatExecutor(request.chatExecutor())
                        .requestParams(text.restored(request.requestParams()))
                        .build());
    }

    @Override
    public <MethodKey> boolean hasOutputGuardrails(MethodKey method) {
        return shared.hasOutputGuardrails(method);
    }
}
