package io.holdpoint.internal.aiservice;

import static dev.langchain4j.service.IllegalConfigurationException.illegalConfiguration;

import dev.langchain4j.agent.tool.ToolSpecification;
import dev.langchain4j.internal.Utils;
import dev.langchain4j.service.IllegalConfigurationException;
import dev.langchain4j.service.tool.AiServiceTool;
import dev.langchain4j.service.tool.DefaultToolExecutor;
import dev.langchain4j.service.tool.ToolExecutor;
import dev.langchain4j.service.tool.ToolProvider;
import dev.langchain4j.service.tool.ToolProviderRequest;
import dev.langchain4j.service.tool.ToolProviderResult;
import dev.langchain4j.service.tool.ToolService;
import io.holdpoint.internal.gate.ToolMethod;
import io.holdpoint.internal.gate.UserQuestion;
import java.lang.reflect.Method;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** LangChain4j's tool service, which refuses annotated tools. */
final class GuardingToolService extends ToolService {

    private final Class<?> aiService;
    private final Map<ToolProvider, ToolProvider> guarding = new HashMap<>();

    GuardingToolService(Class<?> aiService) {
        this.aiService = aiService;
    }

    @Override
    public void tools(Collection<Object> objectsWithTools) {
        for (Object toolObject : objectsWithTools) {
            refuseQuestions(toolObject instanceof Class<?> given ? given : toolObject.getClass());
            for (Method method : Utils.allMethods(toolObject.getClass())) {
                if (new ToolMethod(toolObject.getClass(), method).annotation().isPresent()) {
                    throw refused(toolObject.getClass(), method);
                }
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

    /** Providers give their tools when they are used, dynamic ones in every round. */
    @Override
    public void toolProvider(ToolProvider toolProvider) {
        if (toolProvider != null) {
            super.toolProvider(guarding.computeIfAbsent(toolProvider, GuardingToolProvider::new));
        }
    }

    @Override
    public void toolProviders(Collection<ToolProvider> toolProviders) {
        if (toolProviders != null) {
            toolProviders.forEach(this::toolProvider);
        }
    }

    private void refuseAnnotated(ToolExecutor executor) {
        if (!(executor instanceof DefaultToolExecutor tool)) {
            return;
        }
        ToolMethod method = ToolMethod.visible(tool);
        if (method.annotation().isPresent()) {
            throw refused(tool.originalMethod().getDeclaringClass(), tool.originalMethod());
        }
        refuseQuestions(method.objectClass());
    }

    /** Where nobody is asked, a question would be answered by whatever implements it. */
    private void refuseQuestions(Class<?> toolClass) {
        UserQuestion.find(toolClass).ifPresent(method -> {
            throw illegalConfiguration(
                    "%s.%s() is marked @AsksUser, but AiServices.builder(%s.class) would ask nobody. Write"
                            + " Holdpoint.builder(%s.class).questions(%s.class) instead, or set"
                            + " -D%s=true to run an implementation of it.",
                    method.getDeclaringClass().getName(),
                    method.getName(),
                    aiService.getSimpleName(),
                    aiService.getSimpleName(),
                    method.getDeclaringClass().getSimpleName(),
                    PlainServiceGuard.PROPERTY);
        });
    }

    private IllegalConfigurationException refused(Class<?> toolClass, Method method) {
        return illegalConfiguration(
                "%s.%s() is marked @RequiresApproval, but the AI Service or agent %s is not built by Holdpoint, and would run"
                        + " it without asking. Write Holdpoint.builder(%s.class).tools(...) instead, or set -D%s=true"
                        + " to run it ungated.",
                toolClass.getName(),
                method.getName(),
                aiService.getSimpleName(),
                aiService.getSimpleName(),
                PlainServiceGuard.PROPERTY);
    }

    private final class GuardingToolProvider implements ToolProvider {

        private final ToolProvider provider;

        GuardingToolProvider(ToolProvider provider) {
            this.provider = provider;
        }

        @Override
        public @Nullable ToolProviderResult provideTools(ToolProviderRequest request) {
            ToolProviderResult result = provider.provideTools(request);
            if (result != null) {
                result.aiServiceTools().forEach(tool -> refuseAnnotated(tool.toolExecutor()));
            }
            return result;
        }

        @Override
        public boolean isDynamic() {
            return provider.isDynamic();
        }
    }
}
