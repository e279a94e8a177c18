package io.holdpoint.internal.aiservice;

import static dev.langchain4j.service.IllegalConfigurationException.illegalConfiguration;

import dev.langchain4j.agent.tool.ToolSpecification;
import dev.langchain4j.service.AiServiceContext;
import dev.langchain4j.service.IllegalConfigurationException;
import dev.langchain4j.service.tool.AiServiceTool;
import dev.langchain4j.service.tool.DefaultToolExecutor;
import dev.langchain4j.service.tool.ToolExecutor;
import dev.langchain4j.service.tool.ToolProviderResult;
import dev.langchain4j.spi.services.AiServiceContextFactory;
import io.holdpoint.internal.gate.ToolMethod;
import io.holdpoint.internal.gate.UserQuestion;
import java.lang.reflect.Method;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes AI Services that Holdpoint does not build refuse tools marked {@link io.holdpoint.RequiresApproval}, which would not be
 * gated there. Those are the ones of plain {@code AiServices.builder(...)}, and the agents of agentic systems
 * ({@code AgenticServices.agentBuilder(...)}, declarative ones included), which LangChain4j builds the same way. Tools given
 * as objects, maps and lists are refused when they are given; those of a tool provider, and what tool search can find in
 * them, when the provider is first used. Switched off by the system property {@value #PROPERTY} = {@code true}.
 *
 * <p>Not covered: what never becomes a tool of an AI Service, see {@link WorkflowGuard}; tools behind an executor that is not LangChain4j's own, whose method cannot be seen; an {@code AiServiceContext} that
 * an application creates itself. LangChain4j takes the first {@code AiServiceContextFactory} it finds; where another one is in
 * use (Quarkus brings one), none of this is covered, and the first agent that is built says so in the log.
 */
public final class PlainServiceGuard implements AiServiceContextFactory {

    /** Set to {@code true}, it lets plain AI Services have annotated tools, which they then run without asking. */
    public static final String PROPERTY = "io.holdpoint.allowUngatedTools";

    private static final Logger LOG = LoggerFactory.getLogger(PlainServiceGuard.class);
    private static final AtomicBoolean LOOKED = new AtomicBoolean();
    private static final AtomicBoolean BLIND = new AtomicBoolean();

    @Override
    public AiServiceContext create(Class<?> aiServiceClass) {
        GuardedServiceContext context = new GuardedServiceContext(aiServiceClass);
        if (!Boolean.getBoolean(PROPERTY)) {
            look(() -> context.toolService = new GuardingToolService(aiServiceClass));
        }
        return context;
    }

    /** Runs a part of the guard. A LangChain4j that it does not fit must not take AI Services down that have nothing to do with it. */
    private static void look(Runnable part) {
        try {
            part.run();
        } catch (LinkageError e) {
            if (BLIND.compareAndSet(false, true)) {
                LOG.warn(
                        "This version of LangChain4j does not fit Holdpoint: a tool marked @RequiresApproval runs without"
                                + " asking if it is given to an AI Service outside of Holdpoint (AiServices.builder). {}",
                        e.toString());
            }
        }
    }

    /** Logs once what is not covered if LangChain4j uses another factory. */
    public static void warnIfNotInUse() {
        if (LOOKED.compareAndSet(false, true)) {
            gap(AiServiceContext.create(Runnable.class)).ifPresent(LOG::warn);
        }
    }

    /** Describes the gap where AI Services are built on contexts like this one, if there is one. */
    static Optional<String> gap(AiServiceContext inUse) {
        return inUse instanceof GuardedServiceContext
                ? Optional.empty()
                : Optional.of("Another AiServiceContextFactory is in use, it creates "
                        + inUse.getClass().getName()
                        + ": a tool marked @RequiresApproval runs without asking if it is given to an AI Service"
                        + " outside of Holdpoint (AiServices.builder), to an agent of an agentic system"
                        + " (AgenticServices.agentBuilder), or comes from a tool provider of either. Give such tools"
                        + " to Holdpoint only, which gates them as always.");
    }

    private static final class GuardedServiceContext extends AiServiceContext {

        GuardedServiceContext(Class<?> aiServiceClass) {
            super(aiServiceClass);
        }
    }

    private static final class GuardingToolService extends WrappingToolService {

        private final Class<?> aiService;

        GuardingToolService(Class<?> aiService) {
            this.aiService = aiService;
        }

        @Override
        public void tools(Collection<Object> objectsWithTools) {
            look(() -> objectsWithTools.forEach(this::refuseMarked));
            super.tools(objectsWithTools);
        }

        private void refuseMarked(Object toolObject) {
            Class<?> type = toolObject.getClass();
            refuseQuestions(toolObject instanceof Class<?> given ? given : type);
            for (Method method : ToolMethod.allOf(type)) {
                if (new ToolMethod(type, method).annotation().isPresent()) {
                    throw refused(type, method);
                }
            }
        }

        @Override
        public void tools(Map<ToolSpecification, ToolExecutor> tools) {
            look(() -> tools.values().forEach(this::refuseAnnotated));
            super.tools(tools);
        }

        @Override
        public void tools(List<AiServiceTool> tools) {
            look(() -> tools.forEach(tool -> refuseAnnotated(tool.toolExecutor())));
            super.tools(tools);
        }

        @Override
        @Nullable
        ToolProviderResult provided(@Nullable ToolProviderResult given) {
            if (given != null) {
                look(() -> given.aiServiceTools().forEach(tool -> refuseAnnotated(tool.toolExecutor())));
            }
            return given;
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

        /** A question that does not reach a person would be answered by an implementation of its interface. */
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
                    "%s.%s() is marked @RequiresApproval, but the AI Service or agent %s is not built by Holdpoint,"
                            + " and would run it without asking. Write Holdpoint.builder(%s.class).tools(...) instead, or"
                            + " set -D%s=true to run it ungated.",
                    toolClass.getName(),
                    method.getName(),
                    aiService.getSimpleName(),
                    aiService.getSimpleName(),
                    PlainServiceGuard.PROPERTY);
        }
    }
}
