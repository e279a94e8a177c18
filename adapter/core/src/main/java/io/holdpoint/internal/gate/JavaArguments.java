package io.holdpoint.internal.gate;

import com.fasterxml.jackson.annotation.JsonAutoDetect;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.PropertyAccessor;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.json.JsonWriteFeature;
import com.fasterxml.jackson.databind.BeanDescription;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.JavaType;
import com.fasterxml.jackson.databind.JsonDeserializer;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.ObjectWriter;
import com.fasterxml.jackson.databind.SerializationConfig;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.deser.BeanDeserializerBase;
import com.fasterxml.jackson.databind.exc.InvalidFormatException;
import com.fasterxml.jackson.databind.introspect.Annotated;
import com.fasterxml.jackson.databind.introspect.AnnotationIntrospectorPair;
import com.fasterxml.jackson.databind.introspect.NopAnnotationIntrospector;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import com.fasterxml.jackson.databind.ser.BeanPropertyWriter;
import com.fasterxml.jackson.databind.ser.BeanSerializerModifier;
import com.fasterxml.jackson.databind.type.TypeFactory;
import dev.langchain4j.internal.Json;
import io.holdpoint.internal.gate.MethodArguments.Misfit;
import java.lang.reflect.Field;
import java.lang.reflect.GenericArrayType;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Parameter;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.lang.reflect.TypeVariable;
import java.lang.reflect.WildcardType;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BinaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The arguments that a method would get: LangChain4j's own conversion, without the call. The values, written as JSON again by their
 * types, must be what is shown. Immutable.
 */
final class JavaArguments {

    private static final Method COERCE =
            ToolMethod.ofExecutor("coerceArgument", Object.class, String.class, Class.class, Type.class);

    /** A copy of what LangChain4j converts with; empty if an application has given it something else than Jackson. */
    static final Optional<ObjectMapper> JACKSON = jackson();

    /** A type's own JSON, with all that it was read from; and with dates and durations as texts, in which they may be shown too. */
    private static final List<ObjectWriter> WRITERS = writers(JACKSON.orElseGet(JavaArguments::likeJackson));

    private static final Set<Class<?>> PRIMITIVE_NUMBERS =
            Set.of(byte.class, short.class, int.class, long.class, float.class, double.class);
    private static final Set<Class<?>> FLOATING = Set.of(float.class, Float.class, double.class, Double.class);
    private static final int MAX_SHOWN = 200;

    private final Map<String, Target> targets = new LinkedHashMap<>();
    private final JsonNode schema;

    /** The type that LangChain4j converts an argument to: only a container has its type arguments then. */
    private record Target(String name, String path, Class<?> raw, Type type, Optional<Type> forgotten) {

        static Target of(String name, Parameter parameter) {
            Type type = parameter.getParameterizedType();
            Class<?> raw = parameter.getType();
            if (raw == Optional.class && type instanceof ParameterizedType optional) {
                type = optional.getActualTypeArguments()[0];
                raw = TypeFactory.rawClass(type);
            }
            boolean isContainer = Collection.class.isAssignableFrom(raw) || Map.class.isAssignableFrom(raw);
            Optional<Type> forgotten = isContainer || isKept(type) ? Optional.empty() : Optional.of(type);
            return new Target(name, ValueComparison.step("", name), raw, isContainer ? type : raw, forgotten);
        }

        /** Checks whether a type without its arguments is read as it is with them. */
        private static boolean isKept(Type type) {
            if (type instanceof GenericArrayType array) {
                return isKept(array.getGenericComponentType());
            }
            if (!(type instanceof ParameterizedType generic)) {
                return true;
            }
            TypeVariable<?>[] variables = TypeFactory.rawClass(type).getTypeParameters();
            Type[] arguments = generic.getActualTypeArguments();
            for (int i = 0; i < arguments.length; i++) {
                boolean isAny = arguments[i] instanceof WildcardType any && any.getUpperBounds()[0] == Object.class;
                if (!isAny && !arguments[i].equals(variables[i].getBounds()[0])) {
                    return false;
                }
            }
            return true;
        }

        Object convert(Object value) throws InvocationTargetException {
            try {
                return COERCE.invoke(null, value, name, raw, type);
            } catch (IllegalAccessException e) {
                throw new IllegalStateException("the method was made accessible", e);
            }
        }

        JsonNode written(Object converted, ObjectWriter writer) throws JsonProcessingException {
            ObjectWriter ofType = raw == Object.class
                    ? writer
                    : writer.forType(writer.getTypeFactory().constructType(type));
            return ToolArguments.readOfJava(ofType.writeValueAsString(converted));
        }

        /** Checks for values of which the type has no other spelling. */
        boolean isSpelledAsTyped(JsonNode value) {
            return value.isTextual() ? raw == String.class : value.isNumber() && isNumber();
        }

        boolean isNumber() {
            return Number.class.isAssignableFrom(raw) || PRIMITIVE_NUMBERS.contains(raw);
        }

        /** Checks for digits that LangChain4j would lose on the way to a type that may keep them. */
        boolean mayLoseDigitsOf(JsonNode value) {
            return !FLOATING.contains(raw) && hasDigitsToLose(value);
        }
    }

    /** A parameter or a part of it that no JSON becomes, and why; {@code isNeeded} if there is no call without it. */
    record Unfillable(String place, String problem, boolean isNeeded) {

        @Override
        public String toString() {
            return "\"" + place + "\": " + problem;
        }
    }

    /** The schema is that of all arguments. */
    JavaArguments(Map<String, Parameter> parameters, JsonNode schema) {
        parameters.forEach((name, parameter) -> targets.put(name, Target.of(name, parameter)));
        this.schema = schema;
    }

    /** The parameters, and parts of them, that no JSON becomes. */
    List<Unfillable> unfillable() {
        List<Unfillable> found = new ArrayList<>();
        Set<String> required = new HashSet<>();
        schema.path("required").forEach(name -> required.add(name.asText()));
        for (Target target : targets.values()) {
            if (JACKSON.isPresent() && schema.path("properties").has(target.name())) {
                ObjectMapper mapper = JACKSON.get();
                UnreadableTypes.in(mapper, mapper.constructType(target.type()))
                        .forEach(each -> found.add(new Unfillable(
                                target.name() + each.path(),
                                each.problem(),
                                each.path().isEmpty() && required.contains(target.name()))));
            }
        }
        return found;
    }

    /** The parameters of generic types whose type arguments LangChain4j forgets, each with its type. */
    Map<String, Type> forgotten() {
        Map<String, Type> found = new LinkedHashMap<>();
        targets.values().stream()
                .filter(target -> schema.path("properties").has(target.name()))
                .forEach(target -> target.forgotten().ifPresent(type -> found.put(target.name(), type)));
        return found;
    }

    void nameAsRead(ObjectNode parameters) {
        JACKSON.ifPresent(mapper -> targets.values()
                .forEach(target -> JacksonNames.give(
                        parameters.path("properties").path(target.name()),
                        mapper.constructType(target.type()),
                        mapper)));
    }

    /** The arguments that the method would not get as they are. */
    List<Misfit> misfits(ObjectNode arguments) {
        List<Misfit> misfits = new ArrayList<>();
        for (JsonNode name : schema.path("required")) {
            if (!arguments.hasNonNull(name.asText())) {
                misfits.add(Misfit.of(ValueComparison.step("", name.asText()), "is missing"));
            }
        }
        for (Map.Entry<String, JsonNode> argument : arguments.properties()) {
            String name = argument.getKey();
            Target target = targets.get(name);
            if (!schema.path("properties").has(name)) {
                misfits.add(Misfit.of(ValueComparison.step("", name), "the tool has no such argument"));
            } else if (target != null && !argument.getValue().isNull()) {
                JsonNode shown = argument.getValue();
                misfits.addAll(misfits(shown, executable(shown, target), target));
            }
        }
        return misfits;
    }

    /** The value that LangChain4j is to read: the one that is shown, or one with texts in the place of numbers. */
    JsonNode executable(String name, JsonNode shown) {
        Target target = targets.get(name);
        return target == null ? shown : executable(shown, target);
    }

    private JsonNode executable(JsonNode shown, Target target) {
        if (target.mayLoseDigitsOf(shown)) {
            JsonNode exact = withTexts(shown, kept(shown, target));
            if (misfits(shown, exact, target).isEmpty()) {
                return exact;
            }
        }
        return shown;
    }

    // --- forms

    /** Arguments with the values that they spell in another way as the types have them. A value that does not fit is not changed. */
    ObjectNode asTyped(ObjectNode arguments) {
        ObjectNode typed = arguments.deepCopy();
        for (Map.Entry<String, JsonNode> argument : typed.properties()) {
            Target target = targets.get(argument.getKey());
            if (target != null && !target.isSpelledAsTyped(argument.getValue())) {
                argument.setValue(asTyped(argument.getValue(), target));
            }
        }
        return ToolArguments.canonical(typed);
    }

    private JsonNode asTyped(JsonNode shown, Target target) {
        try {
            Object converted = target.convert(read(executable(shown, target)));
            JsonNode received = converted instanceof Enum<?> constant
                    ? TextNode.valueOf(constant.name())
                    : target.written(converted, WRITERS.get(0));
            JsonNode typed = spelled(shown, received);
            boolean isSame = typed.equals(shown)
                    || misfits(typed, executable(typed, target), target).isEmpty();
            return isSame ? typed : shown;
        } catch (InvocationTargetException | JsonProcessingException | RuntimeException | StackOverflowError e) {
            return shown; // what is not known is not changed
        }
    }

    private static JsonNode spelled(JsonNode shown, JsonNode received) {
        return withLeaves(shown, received, (leaf, typed) -> {
            if (!leaf.isTextual()) {
                boolean isText = typed.isTextual() && typed.textValue().equals(ToolArguments.text(leaf));
                return isText && !leaf.isContainerNode() ? typed : leaf;
            }
            if (typed.isNumber()) {
                return ToolArguments.number(leaf.textValue())
                        .map(number -> asWhole(number, typed))
                        .orElse(leaf);
            }
            if (typed.isContainerNode()) {
                return ValueComparison.json(leaf.textValue())
                        .map(inside -> spelled(inside, typed))
                        .orElse(leaf);
            }
            boolean isOtherwise =
                    (typed.isTextual() || typed.isBoolean()) && typed.asText().equalsIgnoreCase(leaf.textValue());
            return isOtherwise ? typed : leaf;
        });
    }

    /** A whole number in digits: LangChain4j would lose some of {@code 9007199254740993e0}, which it reads as a {@code double}. */
    private static JsonNode asWhole(JsonNode number, JsonNode typed) {
        boolean isSame = typed.isIntegralNumber() && number.decimalValue().compareTo(typed.decimalValue()) == 0;
        return isSame ? typed : number;
    }

    /** A copy in which a function gives the values that are neither object nor array, from those of both trees at their place. */
    private static JsonNode withLeaves(JsonNode shown, JsonNode other, BinaryOperator<JsonNode> leaf) {
        if (shown instanceof ObjectNode object) {
            ObjectNode copy = object.objectNode();
            object.properties()
                    .forEach(field ->
                            copy.set(field.getKey(), withLeaves(field.getValue(), other.path(field.getKey()), leaf)));
            return copy;
        }
        if (shown instanceof ArrayNode array) {
            ArrayNode copy = array.arrayNode();
            for (int i = 0; i < array.size(); i++) {
                copy.add(withLeaves(array.get(i), other.path(i), leaf));
            }
            return copy;
        }
        return leaf.apply(shown, other);
    }

    /** The arguments with the declared fields that a type itself gives a value to where they are absent. */
    ObjectNode filledIn(ObjectNode arguments) {
        ObjectNode filled = arguments.deepCopy();
        for (Map.Entry<String, JsonNode> argument : filled.properties()) {
            Target target = targets.get(argument.getKey());
            if (target != null && argument.getValue().isContainerNode()) {
                try {
                    JsonNode shown = argument.getValue();
                    Object converted = target.convert(read(executable(shown, target)));
                    JsonNode declared = schema.path("properties").path(argument.getKey());
                    fillIn(shown, target.written(converted, WRITERS.get(WRITERS.size() - 1)), declared);
                } catch (InvocationTargetException
                        | JsonProcessingException
                        | RuntimeException
                        | StackOverflowError e) {
                    // what cannot be converted is refused later, by name
                }
            }
        }
        return filled;
    }

    private static void fillIn(JsonNode shown, JsonNode received, JsonNode declared) {
        for (int i = 0; shown.isArray() && i < shown.size(); i++) {
            fillIn(shown.get(i), received.path(i), declared.path("items"));
        }
        if (shown instanceof ObjectNode object) {
            declared.path("properties").properties().forEach(field -> {
                JsonNode value = received.path(field.getKey());
                if (object.has(field.getKey())) {
                    fillIn(object.get(field.getKey()), value, field.getValue());
                } else if (!value.isMissingNode() && !value.isNull()) {
                    object.set(field.getKey(), value);
                }
            });
        }
    }

    // --- digits

    /** Checks for numbers that LangChain4j, which reads them as {@code double}, would write with other digits. */
    private static boolean hasDigitsToLose(JsonNode value) {
        if (value.isBigDecimal()) {
            double read = value.doubleValue();
            return Double.isInfinite(read) || !value.decimalValue().equals(new BigDecimal(Double.toString(read)));
        }
        for (JsonNode part : value) {
            if (hasDigitsToLose(part)) {
                return true;
            }
        }
        return false;
    }

    /** The value as the type itself writes it if no digit is lost on the way to the type. */
    private static JsonNode kept(JsonNode shown, Target target) {
        try {
            return target.written(target.convert(ToolArguments.exact(shown)), WRITERS.get(0));
        } catch (InvocationTargetException | JsonProcessingException | RuntimeException | StackOverflowError e) {
            return MissingNode.getInstance();
        }
    }

    /** A copy in which the numbers are texts that the type keeps to the last digit. */
    private static JsonNode withTexts(JsonNode shown, JsonNode kept) {
        return withLeaves(
                shown,
                kept,
                (leaf, same) -> hasDigitsToLose(leaf) && same.asText().equals(leaf.asText())
                        ? TextNode.valueOf(leaf.asText())
                        : leaf);
    }

    // --- the comparison

    private List<Misfit> misfits(JsonNode shown, JsonNode executable, Target target) {
        String path = target.path();
        if (shown.isTextual()
                && target.isNumber()
                && ToolArguments.number(shown.textValue()).isEmpty()) {
            return List.of(Misfit.of(path, cut(shown.toString()) + " is not a number of JSON"));
        }
        Object converted;
        try {
            converted = target.convert(read(executable));
        } catch (InvocationTargetException | RuntimeException e) {
            Throwable why = e instanceof InvocationTargetException ? e.getCause() : e;
            return List.of(new Misfit(path + problem(why, shown, target.raw()), Optional.of(why)));
        }
        if (isWhatIsShown(converted, shown)) {
            return List.of();
        }
        try {
            return differences(shown, converted, target);
        } catch (JsonProcessingException | RuntimeException | StackOverflowError e) {
            String problem = ": a " + target.raw().getSimpleName()
                    + " cannot be written as JSON, so it is not known what the tool would get";
            return List.of(new Misfit(path + problem, Optional.of(e)));
        }
    }

    private List<Misfit> differences(JsonNode shown, Object converted, Target target) throws JsonProcessingException {
        List<String> found = List.of();
        for (ObjectWriter writer : WRITERS) {
            List<String> differences =
                    new ValueComparison(schema).differences(shown, target.written(converted, writer), target.name());
            if (differences.isEmpty()) {
                return List.of();
            }
            found = found.isEmpty() ? differences : found;
        }
        return Misfit.all(found);
    }

    /** A value as LangChain4j reads it. */
    private static Object read(JsonNode value) {
        if (value.isTextual()) {
            return value.textValue();
        }
        if (value.isNumber()) {
            return value.isBigDecimal() ? (Object) value.doubleValue() : value.numberValue();
        }
        return value.isBoolean()
                ? (Object) value.booleanValue()
                : Json.fromJson(ToolArguments.text(value), Object.class);
    }

    /** Values that need not be written as JSON to be compared. */
    private static boolean isWhatIsShown(Object converted, JsonNode shown) {
        if (converted instanceof Integer || converted instanceof Long) {
            return shown.isIntegralNumber()
                    && shown.canConvertToLong()
                    && shown.longValue() == ((Number) converted).longValue();
        }
        if (converted instanceof String text) {
            return shown.isTextual() && text.equals(shown.textValue());
        }
        if (converted instanceof Enum<?> constant) {
            return shown.isTextual() && constant.name().equals(shown.textValue());
        }
        return converted instanceof Boolean is && shown.isBoolean() && is == shown.booleanValue();
    }

    /** The rest of the path, and a sentence for a person and a model: class names of the application are left out. */
    private static String problem(@Nullable Throwable thrown, JsonNode shown, Class<?> type) {
        JsonMappingException found = null;
        Throwable last = thrown;
        for (int depth = 0; last != null && depth < 10; depth++) {
            found = last instanceof JsonMappingException mapping ? mapping : found;
            if (last.getCause() == null) {
                break;
            }
            last = last.getCause();
        }
        String path = found == null ? "" : path(found);
        Class<?> wanted = found instanceof InvalidFormatException format ? format.getTargetType() : type;
        if (found != null && last != null && !(last instanceof JsonProcessingException)) {
            return path + ": " + cut(String.valueOf(last.getMessage())); // a constructor of the application has refused
        }
        if (wanted.isEnum()) {
            return path + ": must be one of " + names(wanted, found != null);
        }
        String what = path.isEmpty() ? cut(shown.toString()) + " " : "";
        return path + ": " + what + "does not fit into the tool's " + type.getSimpleName();
    }

    /** The names that are taken: Jackson has its own, and LangChain4j takes those of Java. */
    private static List<String> names(Class<?> type, boolean ofJackson) {
        List<String> names = new ArrayList<>();
        for (Object constant : type.getEnumConstants()) {
            names.add(
                    ofJackson
                            ? JACKSON.orElseGet(JavaArguments::likeJackson)
                                    .convertValue(constant, JsonNode.class)
                                    .asText()
                            : ((Enum<?>) constant).name());
        }
        return names;
    }

    private static String path(JsonMappingException problem) {
        StringBuilder path = new StringBuilder();
        for (JsonMappingException.Reference reference : problem.getPath()) {
            String field = reference.getFieldName();
            path.append(ValueComparison.step("", field != null ? field : String.valueOf(reference.getIndex())));
        }
        return path.toString();
    }

    private static String cut(String text) {
        String line = text.replaceAll("\\s+", " ");
        return line.length() <= MAX_SHOWN ? line : line.substring(0, MAX_SHOWN) + "…";
    }

    // --- LangChain4j's own parts

    private static Optional<ObjectMapper> jackson() {
        try {
            Field codec = Json.class.getDeclaredField("CODEC");
            codec.setAccessible(true);
            Object used = codec.get(null);
            Method mapper = used.getClass().getMethod("getObjectMapper");
            mapper.setAccessible(true);
            return Optional.of(((ObjectMapper) mapper.invoke(used)).copy());
        } catch (ReflectiveOperationException | IllegalStateException e) { // a mapper may refuse to be copied
            return Optional.empty();
        }
    }

    private static ObjectMapper likeJackson() {
        return JsonMapper.builder()
                .visibility(PropertyAccessor.FIELD, JsonAutoDetect.Visibility.ANY)
                .findAndAddModules()
                .build();
    }

    private static List<ObjectWriter> writers(ObjectMapper mapper) {
        mapper.setAnnotationIntrospector(AnnotationIntrospectorPair.pair(
                new WhatIsReadIsWritten(), mapper.getSerializationConfig().getAnnotationIntrospector()));
        mapper.setSerializerFactory(mapper.getSerializerFactory().withSerializerModifier(new OnlyWhatIsRead(mapper)));
        ObjectWriter writer = mapper.writer().without(JsonWriteFeature.WRITE_NAN_AS_STRINGS);
        return List.of(
                writer,
                writer.without(
                        SerializationFeature.WRITE_DATES_AS_TIMESTAMPS,
                        SerializationFeature.WRITE_DURATIONS_AS_TIMESTAMPS));
    }

    /** A field that is only read, such as a password, is compared as well. */
    private static final class WhatIsReadIsWritten extends NopAnnotationIntrospector {

        private static final long serialVersionUID = 1L;

        @Override
        public JsonProperty.@Nullable Access findPropertyAccess(Annotated annotated) {
            JsonProperty property = annotated.getAnnotation(JsonProperty.class);
            return property != null && property.access() == JsonProperty.Access.WRITE_ONLY
                    ? JsonProperty.Access.READ_WRITE
                    : null;
        }
    }

    /** A property of a getter alone is nothing that the type has filled in. */
    private static final class OnlyWhatIsRead extends BeanSerializerModifier {

        private static final long serialVersionUID = 1L;

        private final transient DeserializationContext jackson;

        OnlyWhatIsRead(ObjectMapper mapper) {
            this.jackson = UnreadableTypes.context(mapper);
        }

        @Override
        public List<BeanPropertyWriter> changeProperties(
                SerializationConfig config, BeanDescription type, List<BeanPropertyWriter> properties) {
            if (reader(type.getType()) instanceof BeanDeserializerBase bean
                    && !bean.getValueInstantiator().canCreateUsingDelegate()) {
                properties.removeIf(each -> !each.isUnwrapping() && bean.findProperty(each.getName()) == null);
            }
            return properties;
        }

        private @Nullable JsonDeserializer<?> reader(JavaType type) {
            try {
                return jackson.findNonContextualValueDeserializer(type);
            } catch (JsonMappingException e) {
                return null; // it is written, but not read by itself
            }
        }
    }
}
