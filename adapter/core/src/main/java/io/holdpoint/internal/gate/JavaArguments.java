package io.holdpoint.internal.gate;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.exc.InvalidFormatException;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.langchain4j.internal.Json;
import dev.langchain4j.service.tool.DefaultToolExecutor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Parameter;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The arguments that a method would get: LangChain4j's own conversion, without the call. The values, written as JSON again,
 * must be the same. Immutable.
 */
final class JavaArguments {

    /** LangChain4j converts arguments only on the way into a call. */
    private static final Method COERCE = coercion();

    private static final Type OBJECT = new TypeReference<Map<String, Object>>() {}.getType();
    private static final int MAX_SHOWN = 200;

    private final Map<String, Parameter> parameters;
    private final JsonNode schema;

    /** The schema is that of all arguments. */
    JavaArguments(Map<String, Parameter> parameters, JsonNode schema) {
        this.parameters = parameters;
        this.schema = schema;
    }

    /**
     * The arguments that the method would not get as they are, each with its JSON path; {@code executable} is the text that
     * LangChain4j reads.
     */
    List<String> misfits(ObjectNode arguments, String executable) {
        List<String> misfits = new ArrayList<>();
        for (JsonNode name : schema.path("required")) {
            if (!arguments.hasNonNull(name.asText())) {
                misfits.add(SameValue.step("", name.asText()) + ": is missing");
            }
        }
        Map<String, Object> read = Json.fromJson(executable, OBJECT);
        for (Map.Entry<String, JsonNode> argument : arguments.properties()) {
            String name = argument.getKey();
            Object value = read.get(name);
            if (!schema.path("properties").has(name)) {
                misfits.add(SameValue.step("", name) + ": the tool has no such argument");
            } else if (value != null && parameters.containsKey(name)) {
                misfits.addAll(misfits(argument.getValue(), value, parameters.get(name), name));
            }
        }
        return misfits;
    }

    private List<String> misfits(JsonNode shown, Object value, Parameter parameter, String name) {
        Type type = parameter.getParameterizedType();
        Class<?> raw = parameter.getType();
        if (raw == Optional.class && type instanceof ParameterizedType optional) {
            type = optional.getActualTypeArguments()[0];
            raw = type instanceof ParameterizedType generic ? (Class<?>) generic.getRawType() : (Class<?>) type;
        }
        String path = SameValue.step("", name);
        Object converted;
        try {
            converted = COERCE.invoke(null, value, name, raw, type);
        } catch (InvocationTargetException e) {
            return List.of(path + problem(e.getCause(), shown, raw));
        } catch (IllegalAccessException e) {
            throw new IllegalStateException("the method was made accessible", e);
        }
        if (isWhatIsShown(converted, shown)) {
            return List.of();
        }
        if (converted instanceof Enum<?> constant && constant.name().equalsIgnoreCase(shown.asText())) {
            return List.of();
        }
        try {
            JsonNode received = ToolArguments.readValue(Json.toJson(converted));
            return new SameValue(schema).differences(shown, received, name);
        } catch (JsonProcessingException | RuntimeException | StackOverflowError e) {
            return List.of(path + ": a " + raw.getSimpleName()
                    + " cannot be written as JSON, so it is not known what the tool would get");
        }
    }

    /** Values that need not be written as JSON to be compared. */
    private static boolean isWhatIsShown(Object converted, JsonNode shown) {
        if (converted instanceof String text) {
            return shown.isTextual() && text.equals(shown.textValue());
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
            return path + ": must be one of " + Arrays.toString(wanted.getEnumConstants());
        }
        String what = path.isEmpty() ? cut(shown.toString()) + " " : "";
        return path + ": " + what + "does not fit into the tool's " + type.getSimpleName();
    }

    private static String path(JsonMappingException problem) {
        StringBuilder path = new StringBuilder();
        for (JsonMappingException.Reference reference : problem.getPath()) {
            String field = reference.getFieldName();
            path.append(SameValue.step("", field != null ? field : String.valueOf(reference.getIndex())));
        }
        return path.toString();
    }

    private static String cut(String text) {
        String line = text.replaceAll("\\s+", " ");
        return line.length() <= MAX_SHOWN ? line : line.substring(0, MAX_SHOWN) + "…";
    }

    private static Method coercion() {
        try {
            Method method = DefaultToolExecutor.class.getDeclaredMethod(
                    "coerceArgument", Object.class, String.class, Class.class, Type.class);
            method.setAccessible(true);
            return method;
        } catch (NoSuchMethodException e) {
            throw new IllegalStateException(
                    "This version of LangChain4j is not supported: DefaultToolExecutor has no method 'coerceArgument'",
                    e);
        }
    }
}
