package io.holdpoint.internal.gate;

import static dev.langchain4j.service.IllegalConfigurationException.illegalConfiguration;
import static io.holdpoint.internal.gate.ApprovalPolicy.describe;

import dev.langchain4j.agent.tool.Tool;
import dev.langchain4j.agent.tool.ToolSpecification;
import dev.langchain4j.internal.Utils;
import dev.langchain4j.service.tool.DefaultToolExecutor;
import dev.langchain4j.service.tool.ToolExecutor;
import io.holdpoint.RequiresApproval;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Proxy;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** Finds what {@link RequiresApproval} says about a tool. Thread-safe; annotations are read once per method. */
public final class ApprovalPolicies {

    private final Map<Method, Known> known = new ConcurrentHashMap<>();
    private final Map<Method, RequiresApproval> ofToolObjects = new ConcurrentHashMap<>();

    private record Known(ToolSpecification specification, GatedTool tool) {}

    /**
     * What the gate has to know of a tool.
     *
     * @param specification the tool as the model sees it
     * @param executor what LangChain4j would run
     * @return the tool
     * @throws dev.langchain4j.service.IllegalConfigurationException if the annotation is misused
     */
    public GatedTool of(ToolSpecification specification, ToolExecutor executor) {
        if (!(executor instanceof DefaultToolExecutor method)) {
            return GatedTool.of(specification, Optional.empty());
        }
        Known found = known.get(method.originalMethod());
        if (found == null || !found.specification().equals(specification)) {
            found = new Known(specification, read(method.originalMethod(), specification));
            known.put(method.originalMethod(), found);
        }
        return found.tool();
    }

    private GatedTool read(Method tool, ToolSpecification specification) {
        Set<String> parameters = specification.parameters() == null
                ? Set.of()
                : specification.parameters().properties().keySet();
        return GatedTool.of(
                specification,
                Optional.ofNullable(ofToolObjects.get(tool))
                        .or(() -> annotation(tool))
                        .map(found -> ApprovalPolicy.of(found, tool, specification.name(), parameters)));
    }

    /**
     * Takes note of a tool object: of annotations that only its class brings together with the tool method (a method
     * inherited from a superclass that implements an annotated interface of the object's class), and refuses annotations
     * that would not do what their author meant.
     *
     * @param toolObject an object with {@code @Tool} methods
     * @throws dev.langchain4j.service.IllegalConfigurationException naming class and method
     */
    public void register(Object toolObject) {
        Class<?> type = toolObject.getClass();
        if (Proxy.isProxyClass(type)) {
            throw illegalConfiguration(
                    "The tool object %s is a JDK proxy: @RequiresApproval on the object behind it cannot be seen."
                            + " Give the object itself.",
                    type.getName());
        }
        for (Method method : Utils.allMethods(type)) {
            if (Modifier.isAbstract(method.getModifiers())) {
                continue; // its implementation is looked at, and need not have the same parameter types
            }
            Optional<RequiresApproval> found = annotation(type, method);
            if (found.isPresent() && !method.isAnnotationPresent(Tool.class)) {
                throw illegalConfiguration(
                        "@RequiresApproval on %s has no effect: the method is not a tool. Add @Tool to it, or remove"
                                + " @RequiresApproval.",
                        describe(method));
            }
            found.ifPresent(annotation -> {
                ofToolObjects.put(method, annotation);
                known.remove(method);
            });
        }
    }

    /**
     * The annotation that counts for a method of a tool object.
     *
     * @param type the object's class
     * @param method one of its methods, possibly inherited
     * @return the annotation, if there is one
     */
    public static Optional<RequiresApproval> annotation(Class<?> type, Method method) {
        return annotation(method).or(() -> inherited(type, method));
    }

    /**
     * The annotation on a method, or on the nearest method that it overrides or implements.
     *
     * @param method a method
     * @return the annotation, if there is one
     */
    private static Optional<RequiresApproval> annotation(Method method) {
        RequiresApproval own = method.getAnnotation(RequiresApproval.class);
        return own != null ? Optional.of(own) : inherited(method.getDeclaringClass(), method);
    }

    private static Optional<RequiresApproval> inherited(Class<?> type, Method method) {
        Class<?> superclass = type.getSuperclass();
        if (superclass != null) {
            Optional<RequiresApproval> found = declared(superclass, method);
            if (found.isPresent()) {
                return found;
            }
        }
        for (Class<?> each : type.getInterfaces()) {
            Optional<RequiresApproval> found = declared(each, method);
            if (found.isPresent()) {
                return found;
            }
        }
        return Optional.empty();
    }

    private static Optional<RequiresApproval> declared(Class<?> type, Method method) {
        for (Method candidate : type.getDeclaredMethods()) {
            RequiresApproval annotation = candidate.getAnnotation(RequiresApproval.class);
            if (annotation != null && overrides(method, candidate)) {
                return Optional.of(annotation);
            }
        }
        return inherited(type, method);
    }

    /** Compares erased parameter types by assignability, so that an implemented generic method is found as well. */
    private static boolean overrides(Method method, Method candidate) {
        if (!candidate.getName().equals(method.getName())
                || candidate.getParameterCount() != method.getParameterCount()) {
            return false;
        }
        Class<?>[] own = method.getParameterTypes();
        Class<?>[] inherited = candidate.getParameterTypes();
        for (int i = 0; i < own.length; i++) {
            if (!inherited[i].isAssignableFrom(own[i])) {
                return false;
            }
        }
        return true;
    }
}
