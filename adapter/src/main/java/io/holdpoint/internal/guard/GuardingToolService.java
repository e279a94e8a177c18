package io.holdpoint.internal.guard;

import static dev.langchain4j.service.IllegalConfigurationException.illegalConfiguration;

import dev.langchain4j.agent.tool.ToolSpecification;
import dev.langchain4j.data.message.ChatMessage;
import dev.langchain4j.data.message.UserMessage;
import dev.langchain4j.internal.Utils;
import dev.langchain4j.invocation.InvocationContext;
import dev.langchain4j.service.tool.AiServiceTool;
import dev.langchain4j.service.tool.DefaultToolExecutor;
import dev.langchain4j.service.tool.ToolExecutor;
import dev.langchain4j.service.tool.ToolService;
import dev.langchain4j.service.tool.ToolServiceContext;
import io.holdpoint.internal.gate.ApprovalPolicies;
import java.lang.reflect.Method;
import java.util.Collection;
import java.util.List;
import java.util.Map;

/** LangChain4j's tool service, which refuses annotated tools. */
final class GuardingToolService extends ToolService {

    private final Class<?> aiService;

    GuardingToolService(Class<?> aiService) {
        this.aiService = aiService;
    }

    @Override
    public void tools(Collection<Object> objectsWithTools) {
        for (Object toolObject : objectsWithTools) {
            for (Method method : Utils.allMethods(toolObject.getClass())) {
                refuseAnnotated(toolObject.getClass(), method);
            }
        }
        super.tools(objectsWithTools);
    }

    @Override
    public void tools(Map<ToolSpecification, ToolExecutor> tools) {
        tools.values().forEach(this::refuseAnnotated);
        super.tools(tools);
    }

    @Override
    public void tools(List<AiServiceTool> tools) {
        tools.forEach(tool -> refuseAnnotated(tool.toolExecutor()));
        super.tools(tools);
    }

    /** Providers give their tools when they are used. */
    @Override
    public ToolServiceContext createContext(
            InvocationContext invocationContext, UserMessage userMessage, List<ChatMessage> messages) {
        ToolServiceContext context = super.createContext(invocationContext, userMessage, messages);
        context.toolExecutors().values().forEach(this::refuseAnnotated);
        return context;
    }

    private void refuseAnnotated(ToolExecutor executor) {
        if (executor instanceof DefaultToolExecutor tool) {
            refuseAnnotated(tool.originalMethod().getDeclaringClass(), tool.originalMethod());
        }
    }

    private void refuseAnnotated(Class<?> toolClass, Method method) {
        if (ApprovalPolicies.annotation(toolClass, method).isPresent()) {
            throw illegalConfiguration(
                    "%s.%s() is marked @RequiresApproval, but AiServices.builder(%s.class) would run it without asking."
                            + " Write Holdpoint.builder(%s.class, (assistant, turn) -> ...).tools(...) instead, or set -D%s=true"
                            + " to run it ungated.",
                    toolClass.getName(),
                    method.getName(),
                    aiService.getSimpleName(),
                    aiService.getSimpleName(),
                    PlainServiceGuard.PROPERTY);
        }
    }
}
