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
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** Finds what {@link RequiresApproval} says about a tool. Thread-safe; annotations are read once per method. */
public final class ApprovalPolicies {

    private final Map<Key, Known> known = new ConcurrentHashMap<>();
    private final Set<String> idempotent = ConcurrentHashMap.newKeySet();

    private record Key(Class<?> objectClass, Method method) {}

    private record Known(ToolSpecification specification, GatedTool tool) {}

    /**
     * Takes note of tools that may be executed again after an attempt of unknown outcome, read before or not.
     *
     * @param toolNames as the model sees them
     */
    public void idempotent(Collection<String> toolNames) {
        idempotent.addAll(toolNames);
        known.clear();
    }

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
            return GatedTool.of(specification, Optional.empty(), MethodArguments.NONE, isIdempotent(specification));
        }
        Key key = new Key(ToolObjects.classOf(method), method.originalMethod());
        Known found = known.get(key);
        if (found == null || !found.specification().equals(specification)) {
            found = new Known(specification, read(key, specification));
            known.put(key, found);
        }
        return found.tool();
    }

    private boolean isIdempotent(ToolSpecification specification) {
        return idempotent.contains(specification.name());
    }

    private GatedTool read(Key key, ToolSpecification specification) {
        Set<String> parameters = specification.parameters() == null
                ? Set.of()
                : specification.parameters().properties().keySet();
        return GatedTool.of(
                specification,
                annotation(key.objectClass(), key.method())
                        .map(found -> ApprovalPolicy.of(found, key.method(), specification.name(), parameters)),
                MethodArguments.of(key.method()),
                isIdempotent(specification));
    }

    /**
     * The annotation that counts for a tool, as far as it can be seen.
     *
     * @param executor what LangChain4j would run
     * @return the annotation, if there is one
     */
    public static Optional<RequiresApproval> annotation(DefaultToolExecutor executor) {
        return annotation(ToolObjects.visibleClassOf(executor), executor.originalMethod());
    }

    /**
     * Refuses a tool object on which the annotation would not do what its author meant.
     *
     * @param toolObject an object with {@code @Tool} methods
     * @throws dev.langchain4j.service.IllegalConfigurationException naming class and method
     */
    public static void check(Object toolObject) {
        Class<?> type = toolObject.getClass();
        if (Proxy.isProxyClass(type)) {
            throw ToolObjects.invisible(type);
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
