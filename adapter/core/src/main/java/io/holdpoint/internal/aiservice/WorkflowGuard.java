package io.holdpoint.internal.aiservice;

import static dev.langchain4j.service.IllegalConfigurationException.illegalConfiguration;

import dev.langchain4j.agentic.Agent;
import dev.langchain4j.agentic.AgenticServices;
import dev.langchain4j.agentic.UntypedAgent;
import dev.langchain4j.agentic.internal.AgentExecutor;
import dev.langchain4j.agentic.workflow.ConditionalAgentService;
import dev.langchain4j.agentic.workflow.LoopAgentService;
import dev.langchain4j.agentic.workflow.ParallelAgentService;
import dev.langchain4j.agentic.workflow.ParallelMapperService;
import dev.langchain4j.agentic.workflow.SequentialAgentService;
import dev.langchain4j.agentic.workflow.WorkflowAgentsBuilder;
import dev.langchain4j.agentic.workflow.impl.WorkflowAgentsBuilderImpl;
import io.holdpoint.internal.gate.ToolMethod;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.Arrays;
import java.util.Collection;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Makes the workflows of LangChain4j's agentic module refuse agents whose {@code @Agent} method, or that of a declared workflow, is marked
 * {@link io.holdpoint.RequiresApproval}: a workflow calls such a method itself, and no gate stands before it. The module loads it as a
 * service, so that applications without the module never load it. Workflows are LangChain4j's own, behind a proxy that looks at their agents.
 *
 * <p>Supervisors and planners are not built through this service, and are not covered.
 */
public final class WorkflowGuard implements WorkflowAgentsBuilder {

    /** The package of {@code @Agent}, and of {@code @SequenceAgent} and its like in one below it. */
    private static final String AGENTIC = Agent.class.getPackageName() + ".";

    /** Takes over from the service, so that kinds of workflows that it does not know yet are LangChain4j's as well. */
    private static WorkflowAgentsBuilder workflows() {
        WorkflowAgentsBuilder guarded = (WorkflowAgentsBuilder) Proxy.newProxyInstance(
                WorkflowGuard.class.getClassLoader(),
                new Class<?>[] {WorkflowAgentsBuilder.class},
                (itself, method, arguments) -> {
                    if (!Boolean.getBoolean(PlainServiceGuard.PROPERTY)) {
                        refuseMarked(arguments); // the interface of a workflow may be marked itself
                    }
                    return guarded(call(WorkflowAgentsBuilderImpl.INSTANCE, method, arguments));
                });
        AgenticServices.setWorkflowAgentsBuilder(guarded);
        return guarded;
    }

    /** The workflow's builder, which looks at everything that it is given. */
    private static @Nullable Object guarded(@Nullable Object builder) {
        if (builder == null || Boolean.getBoolean(PlainServiceGuard.PROPERTY)) {
            return builder;
        }
        return Proxy.newProxyInstance(
                WorkflowGuard.class.getClassLoader(),
                builder.getClass().getInterfaces(),
                (itself, method, arguments) -> {
                    refuseMarked(arguments);
                    Object returned = call(builder, method, arguments);
                    return returned == builder ? itself : returned;
                });
    }

    private static @Nullable Object call(Object target, Method method, @Nullable Object @Nullable [] arguments)
            throws Throwable {
        try {
            return method.invoke(target, arguments);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }

    private static void refuseMarked(@Nullable Object given) {
        if (given instanceof Object[] array) {
            Arrays.asList(array).forEach(WorkflowGuard::refuseMarked);
        } else if (given instanceof Collection<?> agents) {
            agents.forEach(WorkflowGuard::refuseMarked);
        } else if (given instanceof AgentExecutor executor) {
            Method method = executor.agentInvoker().method();
            refuseMarked(method.getDeclaringClass(), method);
        } else if (given instanceof Class<?> declared) {
            refuseMarked(declared, declared);
        } else if (given != null) {
            Class<?> type = given.getClass();
            Stream.concat(Stream.of(type), Arrays.stream(type.getInterfaces()))
                    .forEach(declaring -> refuseMarked(type, declaring));
        }
    }

    /** Looks at all methods: LangChain4j calls one that is not public as well. */
    private static void refuseMarked(Class<?> type, Class<?> declaring) {
        ToolMethod.allOf(declaring).forEach(method -> refuseMarked(type, method));
    }

    /** The annotation may stand on an interface that only the agent's own class implements. */
    private static void refuseMarked(Class<?> type, Method method) {
        boolean isOfAgent = Arrays.stream(method.getAnnotations())
                .anyMatch(each -> each.annotationType().getName().startsWith(AGENTIC));
        if (isOfAgent && new ToolMethod(type, method).annotation().isPresent()) {
            throw illegalConfiguration(
                    "%s.%s() is an @Agent that is marked @RequiresApproval, but a workflow calls it without asking. Make it"
                            + " a @Tool of a Holdpoint agent instead, or set -D%s=true to run it ungated.",
                    method.getDeclaringClass().getName(), method.getName(), PlainServiceGuard.PROPERTY);
        }
    }

    @Override
    public SequentialAgentService<UntypedAgent> sequenceBuilder() {
        return workflows().sequenceBuilder();
    }

    @Override
    public <T> SequentialAgentService<T> sequenceBuilder(Class<T> agent) {
        return workflows().sequenceBuilder(agent);
    }

    @Override
    public ParallelAgentService<UntypedAgent> parallelBuilder() {
        return workflows().parallelBuilder();
    }

    @Override
    public <T> ParallelAgentService<T> parallelBuilder(Class<T> agent) {
        return workflows().parallelBuilder(agent);
    }

    @Override
    public LoopAgentService<UntypedAgent> loopBuilder() {
        return workflows().loopBuilder();
    }

    @Override
    public <T> LoopAgentService<T> loopBuilder(Class<T> agent) {
        return workflows().loopBuilder(agent);
    }

    @Override
    public ConditionalAgentService<UntypedAgent> conditionalBuilder() {
        return workflows().conditionalBuilder();
    }

    @Override
    public <T> ConditionalAgentService<T> conditionalBuilder(Class<T> agent) {
        return workflows().conditionalBuilder(agent);
    }

    @Override
    public ParallelMapperService<UntypedAgent> parallelMapperBuilder() {
        return workflows().parallelMapperBuilder();
    }

    @Override
    public <T> ParallelMapperService<T> parallelMapperBuilder(Class<T> agent) {
        return workflows().parallelMapperBuilder(agent);
    }
}
