package io.holdpoint.internal.gate;

import static dev.langchain4j.service.IllegalConfigurationException.illegalConfiguration;

import dev.langchain4j.service.IllegalConfigurationException;
import dev.langchain4j.service.tool.DefaultToolExecutor;
import io.holdpoint.RequiresApproval;
import io.holdpoint.internal.langchain4j.PrivateMembers;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * A method of a tool's object. Annotations count on the method itself and on every method that it overrides or implements,
 * also on an interface that only the object's class implements. Immutable.
 */
public record ToolMethod(Class<?> objectClass, Method method) {

    static ToolMethod of(DefaultToolExecutor executor) {
        ToolMethod visible = visible(executor);
        if (visible.objectClass.isInterface() || Proxy.isProxyClass(visible.objectClass)) {
            throw invisible(visible.objectClass);
        }
        return visible;
    }

    /** The method behind LangChain4j's executor, with the declaring class in place of a JDK proxy's. */
    public static ToolMethod visible(DefaultToolExecutor executor) {
        Method method = executor.originalMethod();
        if (executor instanceof ProxiedTool proxied) {
            return new ToolMethod(proxied.target, method);
        }
        Class<?> type = PrivateMembers.toolObject(executor).getClass();
        return new ToolMethod(Proxy.isProxyClass(type) ? method.getDeclaringClass() : type, method);
    }

    /** The method as its author knows it: the same where another process has made another proxy or hidden class of its class. */
    String stableName() {
        Class<?> declaring = method.getDeclaringClass();
        String name = ProxiedTool.target(declaring).orElse(declaring).getName();
        int ofHiddenClass = name.indexOf('/');
        return (ofHiddenClass < 0 ? name : name.substring(0, ofHiddenClass)) + "." + method.getName();
    }

    static IllegalConfigurationException invisible(Class<?> proxy) {
        return illegalConfiguration(
                "The tool object %s is a JDK proxy: @RequiresApproval on the object behind it cannot be seen."
                        + " Give the object itself, or the proxy and the class behind it: tools(proxy,"
                        + " BookingTools.class).",
                proxy.getName());
    }

    public static String describe(Method method) {
        return method.getDeclaringClass().getName() + "." + method.getName() + "()";
    }

    /** Checks whether anything runs: a method of questions to the user has no body. */
    boolean hasBody() {
        return !Modifier.isAbstract(method.getModifiers());
    }

    /** The annotation on the method or on the nearest one that it overrides or implements. */
    public Optional<RequiresApproval> annotation() {
        for (Method declared : declarations()) {
            RequiresApproval found = declared.getAnnotation(RequiresApproval.class);
            if (found != null) {
                return Optional.of(found);
            }
        }
        return Optional.empty();
    }

    /** The method and all that it overrides or implements: constraints of each count. */
    List<Method> declarations() {
        Set<Method> methods = new LinkedHashSet<>();
        methods.add(method);
        collect(objectClass, methods);
        return new ArrayList<>(methods);
    }

    private void collect(Class<?> type, Set<Method> methods) {
        for (Method candidate : type.getDeclaredMethods()) {
            if (!candidate.isBridge() && overrides(candidate)) {
                methods.add(candidate);
            }
        }
        for (Class<?> supertype : supertypes(type)) {
            collect(supertype, methods);
        }
    }

    /**
     * All methods of a class and its supertypes, except those of {@code Object} and those that the compiler made; of methods
     * with the same name and parameter types, only the nearest.
     */
    public static List<Method> allOf(Class<?> type) {
        Map<List<Object>, Method> found = new LinkedHashMap<>();
        for (Class<?> each = type; each != null && each != Object.class; each = each.getSuperclass()) {
            collectOwn(each, found);
        }
        collectOfInterfaces(type, found);
        return List.copyOf(found.values());
    }

    private static void collectOfInterfaces(Class<?> type, Map<List<Object>, Method> found) {
        for (Class<?> each : supertypes(type)) {
            if (each.isInterface()) {
                collectOwn(each, found);
            }
            collectOfInterfaces(each, found);
        }
    }

    private static void collectOwn(Class<?> type, Map<List<Object>, Method> found) {
        for (Method method : type.getDeclaredMethods()) {
            if (!method.isSynthetic()) {
                found.putIfAbsent(List.of(method.getName(), List.of(method.getParameterTypes())), method);
            }
        }
    }

    /** The superclass first. */
    private static List<Class<?>> supertypes(Class<?> type) {
        List<Class<?>> supertypes = new ArrayList<>();
        if (type.getSuperclass() != null) {
            supertypes.add(type.getSuperclass());
        }
        supertypes.addAll(Arrays.asList(type.getInterfaces()));
        return supertypes;
    }

    /** Compares erased parameter types by assignability, so that an implemented generic method is found as well. */
    private boolean overrides(Method candidate) {
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

    @Override
    public String toString() {
        return describe(method);
    }
}
