package io.holdpoint.internal.gate;

import com.fasterxml.jackson.annotation.JsonAutoDetect;
import com.fasterxml.jackson.annotation.PropertyAccessor;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.exc.InvalidFormatException;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import com.fasterxml.jackson.databind.type.TypeFactory;
import dev.langchain4j.internal.Json;
import dev.langchain4j.model.chat.request.json.JsonObjectSchema;
import io.holdpoint.internal.gate.MethodArguments.Misfit;
import io.holdpoint.internal.langchain4j.PrivateMembers;
import java.lang.reflect.GenericArrayType;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Parameter;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.lang.reflect.TypeVariable;
import java.lang.reflect.WildcardType;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The arguments that a method would get: LangChain4j's own conversion, without the call. The values, written as JSON again by their
 * types, must be what is shown. Immutable.
 */
final class JavaArguments {

    private static final Method COERCE =
            PrivateMembers.ofExecutor("coerceArgument", Object.class, String.class, Class.class, Type.class);

    /** A copy of what LangChain4j converts with; empty if an application has given it something else than Jackson. */
    static final Optional<ObjectMapper> JACKSON = PrivateMembers.jackson();

    private static final TypeWriter WRITER = new TypeWriter(JACKSON.orElseGet(JavaArguments::likeJackson));

    private static final Set<Class<?>> PRIMITIVE_NUMBERS =
            Set.of(byte.class, short.class, int.class, long.class, float.class, double.class);
    private static final int MAX_SHOWN = 200;

    private final Map<String, Target> targets = new LinkedHashMap<>();
    private final JsonNode schema;
    private final boolean fillsIn;

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
            Optional<Type> forgotten =
                    !isOfClass(type) && (isContainer || isKept(type)) ? Optional.empty() : Optional.of(type);
            return new Target(name, ToolArguments.step("", name), raw, isContainer ? type : raw, forgotten);
        }

        /** Checks whether a type is, or has among its arguments, one that a subclass of the tool's class chooses. */
        private static boolean isOfClass(Type type) {
            if (type instanceof GenericArrayType array) {
                return isOfClass(array.getGenericComponentType());
            }
            return type instanceof TypeVariable<?> variable && variable.getGenericDeclaration() instanceof Class
                    || type instanceof ParameterizedType generic
                            && Arrays.stream(generic.getActualTypeArguments()).anyMatch(Target::isOfClass);
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

        TypeWriter.Written written(Object converted, boolean inParts) throws JsonProcessingException {
            return WRITER.write(converted, raw, type, inParts);
        }

        boolean isNumber() {
            return Number.class.isAssignableFrom(raw) || PRIMITIVE_NUMBERS.contains(raw);
        }
    }

    /** A parameter or a part of it that no JSON becomes, and why; {@code isNeeded} if there is no call without it. */
    record Unfillable(String place, String problem, boolean isNeeded) {

        @Override
        public String toString() {
            return "\"" + place + "\": " + problem;
        }
    }

    /** The schema is that of all arguments; {@code fillsIn} if their classes may give a value to what is left out. */
    JavaArguments(Map<String, Parameter> parameters, JsonNode schema, boolean fillsIn) {
        for (Map.Entry<String, Parameter> each : parameters.entrySet()) {
            targets.put(each.getKey(), Target.of(each.getKey(), each.getValue()));
        }
        this.schema = schema;
        this.fillsIn = fillsIn;
    }

    /** The parameters, and parts of them, that no JSON becomes. */
    List<Unfillable> unfillable() {
        List<Unfillable> found = new ArrayList<>();
        for (Target target : targets.values()) {
            if (JACKSON.isPresent() && schema.path("properties").has(target.name())) {
                ObjectMapper mapper = JACKSON.get();
                boolean isNeeded = ArgumentPath.isRequired(schema, target.name());
                for (UnreadableTypes.Unreadable each :
                        UnreadableTypes.in(mapper, mapper.constructType(target.type()))) {
                    boolean isWhole = each.path().isEmpty();
                    found.add(new Unfillable(target.name() + each.path(), each.problem(), isWhole && isNeeded));
                }
            }
        }
        return found;
    }

    /** The parameters of generic types whose type arguments LangChain4j forgets, each with its type. */
    Map<String, Type> forgotten() {
        Map<String, Type> found = new LinkedHashMap<>();
        for (Target target : targets.values()) {
            Optional<Type> type = target.forgotten();
            if (type.isPresent() && schema.path("properties").has(target.name())) {
                found.put(target.name(), type.get());
            }
        }
        return found;
    }

    /** The same schema, with the members of records and beans as they are shown and taken. */
    static JsonObjectSchema asRead(JsonObjectSchema schema, Map<String, Parameter> parameters) {
        Map<String, Type> types = new LinkedHashMap<>();
        for (Map.Entry<String, Parameter> each : parameters.entrySet()) {
            types.put(each.getKey(), Target.of(each.getKey(), each.getValue()).type());
        }
        return JACKSON.isPresent() ? JacksonNames.in(schema, types, JACKSON.get()) : schema;
    }

    /** The names by which the fields of a class are shown and taken, by those of the fields. */
    static Map<String, String> names(Class<?> type) {
        return JACKSON.map(mapper -> JacksonNames.of(mapper.constructType(type), mapper))
                .orElse(Map.of());
    }

    /**
     * Arguments as the method would get them: converted, written by their types, and found to be the same when they are converted once more:
     * the shown ones are made of those that run.
     */
    public record Taken(ObjectNode arguments, List<Misfit> misfits, List<Misfit> respelled) {

        /** Arguments that are not converted. */
        static Taken asSent(ObjectNode arguments, List<Misfit> misfits) {
            return new Taken(arguments, misfits, List.of());
        }

        /** The reasons for which an edit is not taken: nobody would see what its type has made of it. */
        public List<Misfit> all() {
            List<Misfit> all = new ArrayList<>(misfits);
            all.addAll(respelled);
            return all;
        }
    }

    Taken taken(ObjectNode arguments) {
        List<Misfit> misfits = new ArrayList<>();
        List<Misfit> respelled = new ArrayList<>();
        for (JsonNode name : schema.path("required")) {
            if (!arguments.hasNonNull(name.asText())) {
                misfits.add(Misfit.of(ToolArguments.step("", name.asText()), "is missing"));
            }
        }
        ObjectNode taken = arguments;
        for (Map.Entry<String, JsonNode> argument : arguments.properties()) {
            String name = argument.getKey();
            JsonNode value = argument.getValue();
            Target target = targets.get(name);
            if (!schema.path("properties").has(name)) {
                misfits.add(Misfit.of(ToolArguments.step("", name), "the tool has no such argument"));
            } else if (target != null && !value.isNull()) {
                JsonNode shown = taken(value, target, misfits, respelled);
                if (shown != value) {
                    taken = taken == arguments ? arguments.objectNode().setAll(arguments) : taken;
                    taken.set(name, shown);
                }
            }
        }
        return new Taken(ToolArguments.canonical(taken), misfits, respelled);
    }

    private JsonNode taken(JsonNode sent, Target target, List<Misfit> misfits, List<Misfit> respelled) {
        String path = target.path();
        if (sent.isTextual()
                && target.isNumber()
                && !ToolArguments.number(sent.textValue()).isNumber()) {
            misfits.add(Misfit.of(path, cut(sent.toString()) + " is not a number of JSON"));
            return sent;
        }
        try {
            Object read = exact(sent);
            Object converted = target.convert(read);
            if (!sent.isContainerNode() && read.equals(converted) && !WrittenBack.hasDigitsToLose(sent)) {
                return sent; // most arguments
            }
            WrittenBack back = back(sent, converted, target);
            JsonNode shown = back.shown;
            if (back.lost.isEmpty() && (!shown.equals(sent) || WrittenBack.hasDigitsToLose(shown))) {
                WrittenBack again = back(shown, target.convert(read(withTexts(shown))), target);
                back.lost.addAll(again.lost);
                if (!again.shown.equals(shown)) {
                    back.lost.add(WrittenBack.becomes(path, shown, again.shown));
                }
            }
            misfits.addAll(back.lost);
            respelled.addAll(back.respelled);
            return back.lost.isEmpty() ? shown : sent;
        } catch (InvocationTargetException e) {
            misfits.add(new Misfit(path + problem(e.getCause(), sent, target.raw()), Optional.of(e.getCause())));
        } catch (JsonProcessingException | RuntimeException | StackOverflowError e) {
            String problem = ": a " + target.raw().getSimpleName()
                    + " cannot be written as JSON, so it is not known what the tool would get";
            misfits.add(new Misfit(path + problem, Optional.of(e)));
        }
        return sent;
    }

    /** A value as its type writes it, in the form that was sent. */
    private WrittenBack back(JsonNode sent, Object converted, Target target) throws JsonProcessingException {
        TypeWriter.Written written = target.written(converted, false);
        JsonNode inside = sent.isTextual() && written.json().isContainerNode() ? WrittenBack.json(sent) : sent;
        WrittenBack asTexts = new WrittenBack(schema, fillsIn, inside, written, target.path());
        if (asTexts.lost.isEmpty() || sent.isTextual() || sent.isBoolean()) {
            return asTexts;
        }
        WrittenBack inParts = new WrittenBack(schema, fillsIn, inside, target.written(converted, true), target.path());
        return inParts.lost.isEmpty() ? inParts : asTexts;
    }

    /** The value that LangChain4j is to read, of one that is shown: it reads a fraction as a {@code double}, but a text with all digits. */
    static JsonNode withTexts(JsonNode shown) {
        if (shown instanceof ObjectNode object) {
            ObjectNode texts = object.objectNode();
            object.properties().forEach(field -> texts.set(field.getKey(), withTexts(field.getValue())));
            return texts;
        }
        if (shown instanceof ArrayNode array) {
            ArrayNode texts = array.arrayNode();
            array.forEach(each -> texts.add(withTexts(each)));
            return texts;
        }
        return WrittenBack.hasDigitsToLose(shown) ? TextNode.valueOf(shown.asText()) : shown;
    }

    /** A value as LangChain4j reads it, but with all digits of its numbers. */
    private static Object exact(JsonNode value) {
        return value.isContainerNode()
                ? ToolArguments.exact(value)
                : value.isNumber() ? value.numberValue() : read(value);
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
            names.add(ofJackson ? WRITER.text(constant) : ((Enum<?>) constant).name());
        }
        return names;
    }

    private static String path(JsonMappingException problem) {
        StringBuilder path = new StringBuilder();
        for (JsonMappingException.Reference reference : problem.getPath()) {
            String field = reference.getFieldName();
            path.append(ToolArguments.step("", field != null ? field : String.valueOf(reference.getIndex())));
        }
        return path.toString();
    }

    private static String cut(String text) {
        return MessageTemplate.cut(text.replaceAll("\\s+", " "), MAX_SHOWN);
    }

    // --- LangChain4j's own parts

    private static ObjectMapper likeJackson() {
        return JsonMapper.builder()
                .visibility(PropertyAccessor.FIELD, JsonAutoDetect.Visibility.ANY)
                .findAndAddModules()
                .build();
    }
}
