package io.holdpoint.internal.gate;

import static dev.langchain4j.service.IllegalConfigurationException.illegalConfiguration;

import java.lang.annotation.Annotation;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Method;
import java.lang.reflect.Parameter;
import java.util.List;
import java.util.Set;

/**
 * Finds constraints of Jakarta Validation where no module reads them, recognised without any class of that library: proposals and edits
 * would run against them.
 */
final class UnreadConstraints {

    private static final String BUILT_IN = "jakarta.validation.constraints.";
    private static final String CONSTRAINT = "jakarta.validation.Constraint";

    private UnreadConstraints() {}

    static void refuse(ToolMethod method, Set<String> known) {
        Parameter[] parameters = method.method().getParameters();
        for (int i = 0; i < parameters.length; i++) {
            String name = MethodArguments.name(parameters[i]);
            for (Method declared : known.contains(name) ? method.declarations() : List.<Method>of()) {
                refuse(method, name, declared.getParameters()[i]);
            }
        }
    }

    private static void refuse(ToolMethod method, String name, Parameter parameter) {
        for (AnnotatedElement part : ParameterParts.of(parameter)) {
            for (Annotation annotation : part.getAnnotations()) {
                if (isConstraint(annotation.annotationType())) {
                    throw illegalConfiguration(
                            "The parameter \"%s\" of the tool %s has a constraint of Jakarta Validation, @%s on %s: Holdpoint needs"
                                    + " its module for validation to hold calls and edits to it. Add the dependency"
                                    + " io.holdpoint:holdpoint-validation.",
                            name, method, annotation.annotationType().getSimpleName(), part);
                }
            }
        }
    }

    /** Counts the containers of repeated constraints as well. */
    private static boolean isConstraint(Class<?> type) {
        if (type.getName().startsWith(BUILT_IN)) {
            return true;
        }
        for (Annotation meta : type.getAnnotations()) {
            if (meta.annotationType().getName().equals(CONSTRAINT)) {
                return true;
            }
        }
        try {
            Class<?> repeated = type.getDeclaredMethod("value").getReturnType().getComponentType();
            return repeated != null && repeated.isAnnotation() && isConstraint(repeated);
        } catch (NoSuchMethodException e) { // most annotations have no value
            return false;
        }
    }
}
