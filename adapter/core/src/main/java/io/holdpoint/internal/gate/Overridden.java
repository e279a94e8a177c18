package io.holdpoint.internal.gate;

import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** A method together with those that it overrides or implements: what is said of one is said of all. */
final class Overridden {

    private Overridden() {}

    /**
     * Finds them.
     *
     * @param type the class of the object, which may implement an interface that the method's class does not know
     * @param method one of its methods, possibly inherited
     * @return the method, and the others
     */
    static List<Method> by(Class<?> type, Method method) {
        Set<Method> methods = new LinkedHashSet<>();
        methods.add(method);
        collect(type, method, methods);
        return new ArrayList<>(methods);
    }

    private static void collect(Class<?> type, Method method, Set<Method> methods) {
        Arrays.stream(type.getDeclaredMethods())
                .filter(candidate -> !candidate.isBridge() && PolicyReader.overrides(method, candidate))
                .forEach(methods::add);
        if (type.getSuperclass() != null) {
            collect(type.getSuperclass(), method, methods);
        }
        for (Class<?> each : type.getInterfaces()) {
            collect(each, method, methods);
        }
    }
}
