package io.holdpoint.internal.schema;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import java.lang.annotation.Annotation;
import java.lang.reflect.AnnotatedArrayType;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.AnnotatedParameterizedType;
import java.lang.reflect.AnnotatedType;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Looks for annotations of Jakarta Validation on a parameter and inside of its type. Uses names of that library only, so that tools
 * without constraints need neither it nor a provider. Not thread-safe.
 */
final class ConstraintScan {

    private static final String CONSTRAINT = "jakarta.validation.Constraint";
    private static final String VALID = "jakarta.validation.Valid";

    private final Set<String> withoutValid = new LinkedHashSet<>();
    private final Set<Class<?>> seen = new HashSet<>();
    private boolean found;

    /** Tells whether a value or a part of it has a constraint. */
    boolean found() {
        return found;
    }

    /** The places whose classes have constraints that Bean Validation does not look at, because {@code @Valid} is missing. */
    Set<String> withoutValid() {
        return withoutValid;
    }

    /** Looks at a parameter or a field, with what all of its declarations say. */
    void look(List<? extends AnnotatedElement> declarations, List<AnnotatedType> types, String place) {
        boolean valid = declarations.stream().anyMatch(ConstraintScan::isValid);
        found |= valid || declarations.stream().anyMatch(ConstraintScan::isConstrained);
        look(types, place, valid);
    }

    private void look(List<AnnotatedType> types, String place, boolean valid) {
        boolean cascades = valid || types.stream().anyMatch(ConstraintScan::isValid);
        found |= types.stream().anyMatch(ConstraintScan::isConstrained);
        Class<?> type = rawType(types.get(0).getType());
        if (hasConstraints(type, new HashSet<>())) {
            found = true;
            if (!cascades) {
                withoutValid.add(place);
            }
        }
        lookInside(type);
        for (int i = 0; i < contents(types.get(0)).size(); i++) {
            int index = i;
            look(
                    types.stream()
                            .map(ConstraintScan::contents)
                            .filter(contents -> contents.size() > index)
                            .map(contents -> contents.get(index))
                            .toList(),
                    "an element of " + place,
                    cascades);
        }
    }

    private void lookInside(Class<?> type) {
        if (!isOfThePlatform(type) && seen.add(type)) {
            for (Field field : fields(type)) {
                look(
                        declarations(field),
                        List.of(field.getAnnotatedType()),
                        field.getDeclaringClass().getSimpleName() + "." + field.getName());
            }
            subtypes(type).forEach(this::lookInside);
        }
    }

    /** Checks whether a field of a class, of one of its subtypes or of what it holds has a constraint. */
    private static boolean hasConstraints(Class<?> type, Set<Class<?>> within) {
        return !isOfThePlatform(type)
                && within.add(type)
                && (fields(type).stream()
                                .anyMatch(field -> declarations(field).stream().anyMatch(ConstraintScan::isConstrained)
                                        || holdsConstraints(field.getAnnotatedType(), within))
                        || subtypes(type).stream().anyMatch(subtype -> hasConstraints(subtype, within)));
    }

    private static boolean holdsConstraints(AnnotatedType type, Set<Class<?>> within) {
        return isConstrained(type)
                || hasConstraints(rawType(type.getType()), within)
                || contents(type).stream().anyMatch(content -> holdsConstraints(content, within));
    }

    private static List<AnnotatedType> contents(AnnotatedType type) {
        if (type instanceof AnnotatedArrayType array) {
            return List.of(array.getAnnotatedGenericComponentType());
        }
        return type instanceof AnnotatedParameterizedType generic
                ? List.of(generic.getAnnotatedActualTypeArguments())
                : List.of();
    }

    private static List<Field> fields(Class<?> type) {
        return Stream.<Class<?>>iterate(type, each -> each != null && !isOfThePlatform(each), Class::getSuperclass)
                .flatMap(each -> Arrays.stream(each.getDeclaredFields()))
                .filter(field -> !Modifier.isStatic(field.getModifiers()) && !field.isSynthetic())
                .toList();
    }

    /** A field and its getters. */
    private static List<AnnotatedElement> declarations(Field field) {
        List<AnnotatedElement> declarations = new ArrayList<>(List.of(field));
        for (Method method : field.getDeclaringClass().getDeclaredMethods()) {
            String name = method.getName();
            if (method.getParameterCount() == 0
                    && (name.equalsIgnoreCase("get" + field.getName())
                            || name.equalsIgnoreCase("is" + field.getName()))) {
                declarations.add(method);
            }
        }
        return declarations;
    }

    /** The subtypes of which a value may be one. */
    private static List<Class<?>> subtypes(Class<?> type) {
        JsonSubTypes named = type.getAnnotation(JsonSubTypes.class);
        return Stream.concat(
                        type.isSealed() ? Arrays.stream(type.getPermittedSubclasses()) : Stream.empty(),
                        named == null
                                ? Stream.empty()
                                : Arrays.stream(named.value()).map(JsonSubTypes.Type::value))
                .<Class<?>>map(each -> each)
                .distinct()
                .toList();
    }

    private static boolean isValid(AnnotatedElement element) {
        return has(element.getAnnotations(), VALID);
    }

    private static boolean isConstrained(AnnotatedElement element) {
        return Arrays.stream(element.getAnnotations())
                .map(Annotation::annotationType)
                .anyMatch(type -> has(type.getAnnotations(), CONSTRAINT) || repeatsConstraints(type));
    }

    /** A constraint that is there twice is in an annotation whose value they are. */
    private static boolean repeatsConstraints(Class<?> type) {
        return Arrays.stream(type.getDeclaredMethods())
                .filter(attribute -> attribute.getName().equals("value"))
                .map(Method::getReturnType)
                .anyMatch(
                        value -> value.isArray() && has(value.getComponentType().getAnnotations(), CONSTRAINT));
    }

    private static boolean has(Annotation[] annotations, String name) {
        return Arrays.stream(annotations)
                .anyMatch(each -> each.annotationType().getName().equals(name));
    }

    private static boolean isOfThePlatform(Class<?> type) {
        return type.getName().startsWith("java.") || type.isPrimitive() || type.isArray() || type.isEnum();
    }

    private static Class<?> rawType(Type type) {
        if (type instanceof Class<?> known) {
            return known;
        }
        return type instanceof ParameterizedType generic ? (Class<?>) generic.getRawType() : Object.class;
    }
}
