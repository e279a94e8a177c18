package io.holdpoint.internal.schema;

import java.lang.annotation.Annotation;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * A constraint of Jakarta Validation, known by its name: without that library on the classpath, the JVM shows none of its
 * annotations, and nothing of it is needed here. Immutable.
 *
 * @param name {@code Size} for {@code jakarta.validation.constraints.Size}; of other annotations the whole name
 * @param annotation tells the values
 */
record Constraint(String name, Annotation annotation) {

    private static final String BUILT_IN = "jakarta.validation.constraints.";
    private static final String CONSTRAINT = "jakarta.validation.Constraint";
    private static final String OVERRIDES = "jakarta.validation.OverridesAttribute";
    private static final String DEFAULT_GROUP = "jakarta.validation.groups.Default";

    /** The constraints among annotations: repeated ones, composed ones with what they are composed of, no other groups. */
    static List<Constraint> among(List<Annotation> annotations) {
        List<Constraint> found = new ArrayList<>();
        annotations.forEach(annotation -> add(annotation, found, new HashSet<>()));
        return found;
    }

    private static void add(Annotation annotation, List<Constraint> found, Set<Class<?>> within) {
        Class<? extends Annotation> type = annotation.annotationType();
        for (Annotation repeated : repeated(annotation)) {
            add(repeated, found, within);
        }
        if (!isConstraint(type) || !isOfTheDefaultGroup(annotation)) {
            return;
        }
        if (type.getName().startsWith(BUILT_IN)) {
            found.add(new Constraint(type.getSimpleName(), annotation));
        } else if (within.add(type)) {
            addComposed(annotation, found, within);
        }
    }

    /** What has code of its own, or passes values on, is more than what it is composed of. */
    private static void addComposed(Annotation annotation, List<Constraint> found, Set<Class<?>> within) {
        Class<? extends Annotation> type = annotation.annotationType();
        boolean passesValuesOn = Arrays.stream(type.getDeclaredMethods())
                .flatMap(attribute -> Arrays.stream(attribute.getAnnotations()))
                .anyMatch(each -> each.annotationType().getName().startsWith(OVERRIDES));
        List<Constraint> parts = new ArrayList<>();
        if (!passesValuesOn) {
            Arrays.stream(type.getAnnotations()).forEach(part -> add(part, parts, within));
        }
        found.addAll(parts);
        if (parts.isEmpty() || hasValidators(type)) {
            found.add(new Constraint(type.getName(), annotation));
        }
    }

    private static boolean hasValidators(Class<? extends Annotation> type) {
        return Arrays.stream(type.getAnnotations())
                .filter(each -> each.annotationType().getName().equals(CONSTRAINT))
                .anyMatch(constraint -> ((Class<?>[]) value(constraint, "validatedBy")).length > 0);
    }

    private static boolean isConstraint(Class<? extends Annotation> type) {
        return Arrays.stream(type.getAnnotations())
                .anyMatch(each -> each.annotationType().getName().equals(CONSTRAINT));
    }

    private static boolean isOfTheDefaultGroup(Annotation annotation) {
        Class<?>[] groups = (Class<?>[]) value(annotation, "groups");
        return groups.length == 0
                || Arrays.stream(groups).anyMatch(group -> group.getName().equals(DEFAULT_GROUP));
    }

    private static List<Annotation> repeated(Annotation annotation) {
        try {
            Class<?> type =
                    annotation.annotationType().getDeclaredMethod("value").getReturnType();
            return type.isArray() && Annotation.class.isAssignableFrom(type.getComponentType())
                    ? List.of((Annotation[]) value(annotation, "value"))
                    : List.of();
        } catch (NoSuchMethodException e) { // most annotations have none: they repeat nothing
            return List.of();
        }
    }

    String text(String attribute) {
        return (String) value(annotation, attribute);
    }

    int number(String attribute) {
        return (int) value(annotation, attribute);
    }

    long longNumber(String attribute) {
        return (long) value(annotation, attribute);
    }

    boolean flag(String attribute) {
        return (boolean) value(annotation, attribute);
    }

    /** The names of enum constants. */
    List<String> names(String attribute) {
        return Arrays.stream((Enum<?>[]) value(annotation, attribute))
                .map(Enum::name)
                .toList();
    }

    private static Object value(Annotation annotation, String attribute) {
        try {
            Method method = annotation.annotationType().getDeclaredMethod(attribute);
            method.setAccessible(true);
            return method.invoke(annotation);
        } catch (NoSuchMethodException | IllegalAccessException | InvocationTargetException e) {
            throw new IllegalStateException(annotation + " has no readable " + attribute, e);
        }
    }
}
