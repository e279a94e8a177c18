package io.holdpoint.internal.validation;

import com.fasterxml.jackson.annotation.JsonAlias;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.holdpoint.agui.AguiCodec;
import io.holdpoint.internal.validation.ValueSchema.Kind;
import java.lang.annotation.Annotation;
import java.lang.reflect.AnnotatedParameterizedType;
import java.lang.reflect.AnnotatedType;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * Reads the constraints of the values of one method: on the value itself, on its elements ({@code List<@Email String>}), and
 * on the fields of its class, marked {@code @Valid} or not. Not thread-safe.
 */
final class TypeConstraints {

    private final Function<Class<?>, Map<String, String>> names;
    private final Map<Class<?>, String> open = new LinkedHashMap<>();
    private final Set<String> recursive = new TreeSet<>();
    private final Map<String, ObjectNode> definitions = new LinkedHashMap<>();
    private final List<String> remarks = new ArrayList<>();
    private boolean found;

    /** A field of a class that is a property in JSON, with the annotations of the field and of its getter. */
    private record Property(String name, List<Annotation> annotations, AnnotatedType type) {

        /** Further names that Jackson accepts, although no model is told of them. */
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

    /** The names of a class's fields in JSON, by those in Java. */
    TypeConstraints(Function<Class<?>, Map<String, String>> names) {
        this.names = names;
    }

    /** Tells whether any constraint was found that a schema can say. */
    boolean found() {
        return found;
    }

    List<String> remarks() {
        return List.copyOf(remarks);
    }

    /** The schemas of classes that contain themselves. */
    Map<String, ObjectNode> definitions() {
        return definitions;
    }

    /** Reads a value's constraints. */
    ValueSchema of(List<Annotation> annotations, List<AnnotatedType> types, String path) {
        Class<?> type = rawType(types.get(0).getType());
        if (type == Optional.class) {
            Constraint.among(annotations).forEach(constraint -> notSaid("@" + constraint.name(), path));
            return ofElement(types, 0, path);
        }
        Kind kind = Kind.of(type);
        ValueSchema schema = new ValueSchema();
        for (Constraint constraint : Constraint.among(annotations)) {
            if (constraint.addTo(schema, kind)) {
                found = true;
                remarkOnPattern(constraint, path);
            } else {
                notSaid("@" + constraint.name(), path);
            }
        }
        addContents(type, kind, types, schema, path);
        if (type.isPrimitive() && !schema.isEmpty()) {
            schema.require(); // left out, it would become an unchecked 0 or false
        }
        if (!schema.isEmpty() && !schema.node().has("$ref")) {
            if (kind == Kind.OBJECT && isOfThePlatform(type)) {
                schema.ofAnyType(); // a date is a text, for instance
            } else {
                schema.typed(kind);
            }
        }
        return schema;
    }

    private void addContents(Class<?> type, Kind kind, List<AnnotatedType> types, ValueSchema schema, String path) {
        switch (kind) {
            case LIST -> put(schema, "items", type.isArray() ? ofClass(type, path) : ofElement(types, 0, path));
            case MAP -> {
                put(schema, "propertyNames", ofElement(types, 0, path));
                put(schema, "additionalProperties", ofElement(types, 1, path));
            }
            case OBJECT -> addFields(type, schema, path);
            case TEXT, INTEGER, NUMBER, BOOLEAN -> {}
        }
    }

    private static void put(ValueSchema schema, String keyword, ValueSchema contained) {
        if (!contained.node().isEmpty()) {
            schema.node().set(keyword, contained.node());
        }
    }

    /** The elements of an array: annotations before an array's type are those of the array. */
    private ValueSchema ofClass(Class<?> array, String path) {
        ValueSchema element = new ValueSchema();
        if (Kind.of(array.getComponentType()) == Kind.OBJECT) {
            addFields(array.getComponentType(), element, path + "[]");
            if (!element.isEmpty() && !element.node().has("$ref")) {
                element.typed(Kind.OBJECT);
            }
        }
        return element;
    }

    private ValueSchema ofElement(List<AnnotatedType> containers, int index, String path) {
        List<AnnotatedType> elements = containers.stream()
                .filter(AnnotatedParameterizedType.class::isInstance)
                .map(container -> ((AnnotatedParameterizedType) container).getAnnotatedActualTypeArguments())
                .filter(arguments -> index < arguments.length)
                .map(arguments -> arguments[index])
                .toList();
        if (elements.isEmpty()) {
            return new ValueSchema();
        }
        List<Annotation> annotations = elements.stream()
                .flatMap(element -> Arrays.stream(element.getAnnotations()))
                .distinct()
                .toList();
        return of(annotations, elements, path + "[]");
    }

    private void addFields(Class<?> type, ValueSchema schema, String path) {
        if (isOfThePlatform(type)) {
            return;
        }
        if (open.containsKey(type)) {
            recursive.add(type.getName());
            schema.node().put("$ref", "#/$defs/" + open.get(type));
            return;
        }
        open.put(type, "type" + (open.size() + definitions.size()));
        ValueSchema.Fields fields = new ValueSchema.Fields();
        for (Property field : fields(type, names.apply(type))) {
            ValueSchema value = of(field.annotations(), List.of(field.type()), path + "." + field.name());
            fields.property(field.name(), value);
            field.otherNames().forEach(name -> fields.alias(name, value));
        }
        ofTheWhole(type).forEach(constraint -> notSaid("@" + constraint.name(), path));
        inheritedFields(type).stream()
                .filter(field -> !Constraint.among(field.annotations()).isEmpty())
                .forEach(field -> notSaid("a constraint", path + "." + field.name()));
        subtypes(type).stream()
                .filter(subtype -> isConstrained(subtype))
                .forEach(subtype -> notSaid("a constraint", path + " as a " + subtype.getName()));
        String definition = open.remove(type);
        if (fields.isEmpty()) {
            return;
        }
        fields.addTo(schema.node());
        if (recursive.remove(type.getName())) {
            ObjectNode itself = AguiCodec.mapper().createObjectNode();
            fields.addTo(itself);
            definitions.put(definition, itself.deepCopy());
        }
    }

    /** The constraints of a class, and of what it says of itself by a method that is the getter of no field. */
    private static List<Constraint> ofTheWhole(Class<?> type) {
        Stream<Annotation> ofMethods = Arrays.stream(type.getDeclaredMethods())
                .filter(method -> !Modifier.isStatic(method.getModifiers())
                        && method.getParameterCount() == 0
                        && Arrays.stream(type.getDeclaredFields()).noneMatch(field -> isGetter(method, field)))
                .flatMap(method -> Arrays.stream(method.getAnnotations()));
        return Constraint.among(
                Stream.concat(Arrays.stream(type.getAnnotations()), ofMethods).toList());
    }

    private static boolean isConstrained(Class<?> subtype) {
        return fields(subtype, Map.of()).stream()
                .anyMatch(field -> !Constraint.among(field.annotations()).isEmpty());
    }

    /** The subtypes of which a value may be one: only its discriminator tells which. */
    private static List<Class<?>> subtypes(Class<?> type) {
        List<Class<?>> subtypes = new ArrayList<>();
        if (type.isSealed()) {
            subtypes.addAll(Arrays.asList(type.getPermittedSubclasses()));
        }
        JsonSubTypes named = type.getAnnotation(JsonSubTypes.class);
        if (named != null) {
            Arrays.stream(named.value()).map(JsonSubTypes.Type::value).forEach(subtypes::add);
        }
        return subtypes.stream().distinct().toList();
    }

    private void remarkOnPattern(Constraint constraint, String path) {
        if (Set.of("Pattern", "Email").contains(constraint.name())
                && !constraint.pattern().isPortable()) {
            remarks.add("@" + constraint.name() + " on " + path
                    + " is enforced, but JavaScript does not read this expression as Java does: a client that checks"
                    + " patterns of a schema may fail on it");
        }
    }

    private void notSaid(String what, String path) {
        remarks.add(what + " on " + path + " is not enforced: a JSON schema cannot say it");
    }

    private static boolean isOfThePlatform(Class<?> type) {
        return type.getName().startsWith("java.") || type.isPrimitive();
    }

    private static Class<?> rawType(Type type) {
        if (type instanceof Class<?> known) {
            return known;
        }
        return type instanceof ParameterizedType generic ? (Class<?>) generic.getRawType() : Object.class;
    }

    /** The fields that a model is told of: the ones that the class itself declares. */
    private static List<Property> fields(Class<?> type, Map<String, String> names) {
        return Arrays.stream(type.getDeclaredFields())
                .filter(field -> !Modifier.isStatic(field.getModifiers()) && !field.isSynthetic())
                .map(field -> new Property(
                        names.getOrDefault(field.getName(), field.getName()),
                        annotations(type, field),
                        field.getAnnotatedType()))
                .toList();
    }

    /** The fields of superclasses, which a model is not told of. */
    private static List<Property> inheritedFields(Class<?> type) {
        return Stream.<Class<?>>iterate(
                        type.getSuperclass(),
                        each -> each != null && !each.getName().startsWith("java."),
                        Class::getSuperclass)
                .flatMap(each -> fields(each, Map.of()).stream())
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
