package io.holdpoint.internal.gate;

import static dev.langchain4j.service.IllegalConfigurationException.illegalConfiguration;

import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * What annotations name by its class: the application's instances, or one made for each class. Thread-safe.
 *
 * @param <T> what they are
 */
final class Instances<T> {

    private final Map<Class<?>, T> instances = new ConcurrentHashMap<>();
    private final String kind;
    private final String builderMethod;

    /**
     * @param kind for error messages, such as {@code condition}
     * @param builderMethod of the builder, that takes instances
     */
    Instances(String kind, String builderMethod, List<T> given) {
        this.kind = kind;
        this.builderMethod = builderMethod;
        given.forEach(instance -> instances.put(instance.getClass(), instance));
    }

    /**
     * @param where names the annotation, for error messages
     */
    T get(Class<? extends T> type, String where) {
        return instances.computeIfAbsent(type, missing -> create(type, where));
    }

    private T create(Class<? extends T> type, String where) {
        try {
            Constructor<? extends T> constructor = type.getDeclaredConstructor();
            constructor.setAccessible(true);
            return constructor.newInstance();
        } catch (InvocationTargetException e) {
            throw illegalConfiguration(
                    "%s: the constructor of the %s %s failed: %s", where, kind, type.getName(), e.getCause());
        } catch (ReflectiveOperationException | RuntimeException e) {
            throw illegalConfiguration(
                    "%s: the %s %s has no constructor without parameters. Add one, or give an instance to"
                            + " Holdpoint.builder(...).%s(...). A class inside another must be static.",
                    where, kind, type.getName(), builderMethod);
        }
    }
}
