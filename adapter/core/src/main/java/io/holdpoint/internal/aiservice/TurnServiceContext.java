package io.holdpoint.internal.aiservice;

import dev.langchain4j.service.AiServiceContext;
import dev.langchain4j.service.guardrail.GuardrailService;
import java.util.function.Function;

/** LangChain4j's AI Service context for one turn, with the guardrails that the agent shares between turns. */
final class TurnServiceContext extends AiServiceContext {

    private final Function<AiServiceContext, GuardrailService> guardrails;

    TurnServiceContext(Class<?> serviceClass, Function<AiServiceContext, GuardrailService> guardrails) {
        super(serviceClass);
        this.guardrails = guardrails;
    }

    @Override
    public GuardrailService guardrailService() {
        return guardrails.apply(this);
    }

    GuardrailService ownGuardrails() {
        return super.guardrailService();
    }
}
