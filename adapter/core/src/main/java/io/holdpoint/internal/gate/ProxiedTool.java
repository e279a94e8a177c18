package io.holdpoint.internal.gate;

import static dev.langchain4j.agent.tool.ToolSpecifications.toolSpecificationFrom;
import static dev.langchain4j.service.IllegalConfigurationException.illegalConfiguration;

import dev.langchain4j.agent.tool.Tool;
import dev.langchain4j.service.tool.AiServiceTool;
import dev.langchain4j.service.tool.DefaultToolExecutor;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** A tool with the annotations and parameters of the class behind a proxy, called through the proxy. */
public final class ProxiedTool extends DefaultToolExecutor {

    /** Frameworks mark the subclasses that they generate by this: Spring, Guice, Weld. */
    private static final String GENERATED = "$$";

    final Class<?> target;

    private ProxiedTool(Builder executor, Class<?> target) {
        super(executor);
        this.target = target;
    }

    /** The class that an object's class was generated from, if it was: its methods have lost their annotations. */
    public static Optional<Class<?>> target(Class<?> type) {
        Class<?> behind = type;
        while (behind.getName().contains(GENERATED) && behind.getSuperclass() != Object.class) {
            behind = behind.getSuperclass();
        }
        return behind == type ? Optional.empty() : Optional.of(behind);
    }

    public static List<AiServiceTool> of(Object proxy, Class<?> target) {
        PolicyReader.check(target);
        List<AiServiceTool> tools = new ArrayList<>();
        for (Method method : ToolMethod.allOf(target)) {
            Tool annotation = method.getAnnotation(Tool.class);
            if (annotation != null && !Modifier.isAbstract(method.getModifiers())) {
                Builder executor = DefaultToolExecutor.builder()
                        .object(proxy)
                        .originalMethod(method)
                        .methodToInvoke(through(proxy, target, method))
                        .wrapToolArgumentsExceptions(true)
                        .propagateToolExecutionExceptions(true);
                tools.add(AiServiceTool.builder()
                        .toolSpecification(toolSpecificationFrom(method))
                        .toolExecutor(new ProxiedTool(executor, target))
                        .returnBehavior(annotation.returnBehavior())
                        .build());
            }
        }
        if (tools.isEmpty()) {
            throw illegalConfiguration("%s has no method with @Tool.", target.getName());
        }
        return tools;
    }

    /** The method by which the proxy is called: an interface's, if the proxy does not extend the class. */
    private static Method through(Object proxy, Class<?> target, Method method) {
        if (Modifier.isStatic(method.getModifiers())) {
            return method;
        }
        if (target.isInstance(proxy)) {
            if (Modifier.isPrivate(method.getModifiers()) || Modifier.isFinal(method.getModifiers())) {
                throw illegalConfiguration(
                        "%s is private or final: the proxy %s cannot hand a call over to the object behind it. Make it"
                                + " neither.",
                        ToolMethod.describe(method), proxy.getClass().getName());
            }
            return method;
        }
        for (Method declared : new ToolMethod(target, method).declarations()) {
            Class<?> type = declared.getDeclaringClass();
            if (type.isInterface() && type.isInstance(proxy)) {
                return declared;
            }
        }
        throw illegalConfiguration(
                "%s is in no interface of the proxy %s: a call cannot go through the proxy. Declare it in one, or proxy the"
                        + " class and not its interfaces (Spring: proxyTargetClass = true).",
                ToolMethod.describe(method), proxy.getClass().getName());
    }
}
