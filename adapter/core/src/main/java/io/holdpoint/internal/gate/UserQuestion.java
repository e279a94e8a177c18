package io.holdpoint.internal.gate;

import dev.langchain4j.agent.tool.ToolExecutionRequest;
import dev.langchain4j.service.tool.ToolExecutor;
import io.holdpoint.internal.gate.ToolPolicies.Asking;
import java.lang.reflect.Method;

/**
 * Stands where a tool without a body has no executor. It is recognised at the gate, and never executed. Immutable.
 *
 * @param type the interface that was given
 * @param method carries {@link io.holdpoint.AsksUser}
 * @param asking what a call asks
 */
record UserQuestion(Class<?> type, Method method, Asking asking) implements ToolExecutor {

    @Override
    public String execute(ToolExecutionRequest request, Object memoryId) {
        throw new IllegalStateException(
                Policy.describe(method) + " asks the user and has no body: it cannot be executed");
    }
}
