package io.holdpoint.internal.gate;

import java.lang.reflect.AnnotatedArrayType;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.AnnotatedParameterizedType;
import java.lang.reflect.AnnotatedType;
import java.lang.reflect.AnnotatedWildcardType;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Parameter;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.util.LinkedHashSet;
import java.util.Set;

/**
 * The parts of a parameter that may say something of its values: itself, its type with its arguments and elements, the application's
 * classes in it, also those that a sealed type permits, and their fields and getters.
 */
final class ParameterParts {

    private final Set<AnnotatedElement> found = new LinkedHashSet<>();

    private ParameterParts() {}

    static Set<AnnotatedElement> of(Parameter parameter) {
        ParameterParts parts = new ParameterParts();
        parts.found.add(parameter);
        parts.add(parameter.getAnnotatedType());
        return parts.found;
    }

    private void add(AnnotatedType type) {
        found.add(type);
        if (type instanceof AnnotatedParameterizedType generic) {
            for (AnnotatedType argument : generic.getAnnotatedActualTypeArguments()) {
                add(argument);
            }
        }
        if (type instanceof AnnotatedWildcardType wildcard) {
            for (AnnotatedType bound : wildcard.getAnnotatedUpperBounds()) {
                add(bound);
            }
        }
        if (type instanceof AnnotatedArrayType array) {
            add(array.getAnnotatedGenericComponentType());
        }
        Type raw = type.getType() instanceof ParameterizedType generic ? generic.getRawType() : type.getType();
        if (raw instanceof Class<?> known) {
            add(known);
        }
    }

    private void add(Class<?> type) {
        if (type.isArray() || type.isPrimitive() || type.getName().startsWith("java.") || !found.add(type)) {
            return;
        }
        for (Field field : type.getDeclaredFields()) {
            if (!Modifier.isStatic(field.getModifiers())) {
                found.add(field);
                add(field.getAnnotatedType());
            }
        }
        for (Method method : type.getDeclaredMethods()) {
            if (method.getParameterCount() == 0 && !Modifier.isStatic(method.getModifiers())) {
                found.add(method);
            }
        }
        if (type.getSuperclass() != null) {
            add(type.getSuperclass());
        }
        if (type.isSealed()) {
            for (Class<?> permitted : type.getPermittedSubclasses()) {
                add(permitted);
            }
        }
    }
}
