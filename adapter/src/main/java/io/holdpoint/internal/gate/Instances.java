package io.holdpoint.internal.gate;

import static dev.langchain4j.service.IllegalConfigurationException.illegalConfiguration;

import io.holdpoint.ApprovalCondition;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** The conditions that annotations name: the application's instances, or one made for each class. Thread-safe. */
final class Conditions {

    private final Map<Class<?>, ApprovalCondition> instances = new ConcurrentHashMap<>();

    void add(ApprovalCondition instance) {
        instances.put(instance.getClass(), instance);
    }

    /**
     * @param where names the annotation, for error messages
     */
    ApprovalCondition get(Class<? extends ApprovalCondition> type, String where) {
        return instances.computeIfAbsent(type, missing -> create(type, where));
    }

    private static ApprovalCondition create(Class<? extends ApprovalCondition> type, String where) {
        try {
            Constructor<? extends ApprovalCondition> constructor = type.getDeclaredConstructor();
            constructor.setAccessible(true);
            return constructor.newInstance();
        } catch (InvocationTargetException e) {
            throw illegalConfiguration(
                    "%s: the constructor of the condition %s failed: %s", where, type.getName(), e.getCause());
        } catch (ReflectiveOperationException | RuntimeException e) {
            throw illegalConfiguration(
                    "%s: the condition %s has no constructor without parameters. Add one, or give an instance to"
                            + " Holdpoint.builder(...).approvalConditions(...). A class inside another must be static.",
                    where, type.getName());
        }
    }
}
