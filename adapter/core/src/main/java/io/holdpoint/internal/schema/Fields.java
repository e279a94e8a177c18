package io.holdpoint.internal.schema;

import com.fasterxml.jackson.annotation.JsonAlias;
import com.fasterxml.jackson.annotation.JsonProperty;
import java.lang.annotation.Annotation;
import java.lang.reflect.AnnotatedType;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Stream;

/** The fields of a class that are properties in JSON, as LangChain4j has it, with the annotations of their getters. */
final class Fields {

    private Fields() {}

    /**
     * A field.
     *
     * @param name in Java and in JSON
     * @param annotations on the field or its getter
     * @param type of it
     */
    record Property(String name, List<Annotation> annotations, AnnotatedType type) {

        /** What Jackson takes for it as well, although no model is told. */
        List<String> otherNames() {
            return annotations.stream()
                    .flatMap(annotation -> annotation instanceof JsonAlias alias
                            ? Arrays.stream(alias.value())
                            : annotation instanceof JsonProperty property
                                    ? Stream.of(property.value())
                                    : Stream.empty())
                    .filter(other -> !other.isEmpty() && !other.equals(name))
                    .distinct()
                    .toList();
        }
    }

    /** Those that a model is told of: the ones that the class itself declares. */
    static List<Property> of(Class<?> type) {
        return Arrays.stream(type.getDeclaredFields())
                .filter(field -> !Modifier.isStatic(field.getModifiers()) && !field.isSynthetic())
                .map(field -> new Property(field.getName(), annotations(type, field), field.getAnnotatedType()))
                .toList();
    }

    /** Those of its superclasses, which a model is not told of. */
    static List<Property> invisible(Class<?> type) {
        return Stream.<Class<?>>iterate(
                        type.getSuperclass(),
                        each -> each != null && !each.getName().startsWith("java."),
                        Class::getSuperclass)
                .flatMap(each -> of(each).stream())
                .toList();
    }

    private static List<Annotation> annotations(Class<?> type, Field field) {
        return Stream.concat(
                        Arrays.stream(field.getAnnotations()),
                        Arrays.stream(type.getDeclaredMethods())
                                .filter(method -> isGetter(method, field))
                                .flatMap(method -> Arrays.stream(method.getAnnotations())))
                .distinct()
                .toList();
    }

    private static boolean isGetter(Method method, Field field) {
        String name = field.getName();
        String capitalised = name.substring(0, 1).toUpperCase(Locale.ROOT) + name.substring(1);
        return method.getParameterCount() == 0
                && Set.of(name, "get" + capitalised, "is" + capitalised).contains(method.getName());
    }
}
