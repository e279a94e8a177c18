package io.holdpoint.internal.gate;

import static dev.langchain4j.service.IllegalConfigurationException.illegalConfiguration;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.exc.InvalidFormatException;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.langchain4j.agent.tool.P;
import dev.langchain4j.agent.tool.ToolSpecification;
import dev.langchain4j.internal.Json;
import dev.langchain4j.service.tool.DefaultToolExecutor;
import io.holdpoint.agui.AguiCodec;
import io.holdpoint.internal.schema.ParameterConstraints;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Parameter;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The defaults, types and constraints of a tool's arguments. LangChain4j fills in defaults and converts values on the way to a
 * method; here both happen before, so that the shown arguments are the ones that run. Immutable.
 */
public final class MethodArguments {

    /** For tools that are not methods: they take their arguments as they are. */
    public static final MethodArguments NONE =
            new MethodArguments(Map.of(), Map.of(), ParameterConstraints.NONE, MissingNode.getInstance());

    private final Map<String, Parameter> parameters;
    private final Map<String, JsonNode> defaults;
    private final ParameterConstraints constraints;
    private final boolean constrained;
    private final JavaArguments values;

    private MethodArguments(
            Map<String, Parameter> parameters,
            Map<String, JsonNode> defaults,
            ParameterConstraints constraints,
            JsonNode schema) {
        this.parameters = parameters;
        this.defaults = defaults;
        this.constraints = constraints;
        this.constrained = !constraints.isEmpty();
        this.values = new JavaArguments(parameters, schema);
    }

    /**
     * Reads a method.
     */
    static MethodArguments of(ToolMethod method, ToolSpecification tool) {
        Map<String, Parameter> parameters = new LinkedHashMap<>();
        Map<String, JsonNode> defaults = new LinkedHashMap<>();
        for (Parameter parameter : method.method().getParameters()) {
            P described = parameter.getAnnotation(P.class);
            String name = name(parameter);
            parameters.put(name, parameter);
            if (described != null && !P.NO_DEFAULT.equals(described.defaultValue())) {
                defaults.put(name, defaultValue(parameter.getType(), described.defaultValue()));
            }
        }
        ParameterConstraints constraints = constraints(method, ToolSchemas.parameterNames(tool));
        return new MethodArguments(parameters, defaults, constraints, ToolSchemas.declared(tool));
    }

    private static String name(Parameter parameter) {
        P described = parameter.getAnnotation(P.class);
        return described == null || described.name().isBlank() ? parameter.getName() : described.name();
    }

    private static ParameterConstraints constraints(ToolMethod method, Set<String> parameters) {
        try {
            return ParameterConstraints.of(method.declarations(), MethodArguments::name, parameters);
        } catch (IllegalArgumentException e) {
            throw illegalConfiguration("A constraint on a parameter of %s makes no sense: %s", method, e.getMessage());
        }
    }

    /** Reads a default as LangChain4j does, which has checked it already. */
    private static JsonNode defaultValue(Class<?> type, String text) {
        if (type == String.class || type.isEnum() || type == UUID.class) {
            return TextNode.valueOf(text);
        }
        try {
            return ToolArguments.readValue(text);
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException("@P(defaultValue = \"" + text + "\") is not JSON", e);
        }
    }

    /** Tells whether there are constraints. */
    boolean isConstrained() {
        return constrained;
    }

    /** The constraints of all arguments, written by a model or by a person. */
    ParameterConstraints constraints() {
        return constraints;
    }

    /** Tells whether the tool is no method: its schema is all that is known of its arguments. */
    boolean isOfNoMethod() {
        return this == NONE;
    }

    /**
     * The arguments that the method would not get as they are, each with its JSON path, of complete arguments in canonical form;
     * empty for a tool that is no method.
     */
    public List<String> misfits(ObjectNode arguments) {
        if (isOfNoMethod()) {
            return List.of();
        }
        String text = ToolArguments.write(arguments);
        return values.misfits(arguments, isPlain(arguments) ? text : forExecution(text));
    }

    /** Tells whether there is no number in the arguments, so that all of them are executed as they are. */
    private static boolean isPlain(ObjectNode arguments) {
        for (JsonNode value : arguments) {
            if (value.isNumber() || value.isContainerNode()) {
                return false;
            }
        }
        return true;
    }

    /** The defaults by parameter. */
    ObjectNode defaults() {
        ObjectNode node = AguiCodec.mapper().createObjectNode();
        defaults.forEach((name, value) -> node.set(name, value.deepCopy()));
        return node;
    }

    /** Adds the defaults of absent arguments, so that they are shown, hashed and stored; the result is canonical. */
    public ObjectNode complete(ObjectNode arguments) {
        if (defaults.isEmpty()) {
            return ToolArguments.canonical(arguments);
        }
        ObjectNode complete = arguments.deepCopy();
        defaults.forEach((name, value) -> {
            if (!complete.hasNonNull(name)) {
                complete.set(name, value);
            }
        });
        return ToolArguments.canonical(complete);
    }

    /**
     * The text to execute with, from complete canonical arguments. LangChain4j reads a fraction as a {@code double}, so a
     * number that would change by that becomes a text, which LangChain4j converts to the parameter's type exactly. In a
     * parameter that takes any value, a number stays a number.
     */
    public String forExecution(String canonicalText) {
        if (isOfNoMethod()) {
            return canonicalText;
        }
        ObjectNode arguments = ToolArguments.read(canonicalText);
        for (Map.Entry<String, JsonNode> argument : arguments.properties()) {
            Parameter parameter = parameters.get(argument.getKey());
            if (parameter != null) {
                argument.setValue(exact(argument.getValue(), parameter.getType()));
            }
        }
        return ToolArguments.write(arguments);
    }

    private static JsonNode exact(JsonNode value, Class<?> type) {
        if (type == Object.class || Map.class.isAssignableFrom(type)) {
            return value;
        }
        if (value.isNumber() && (type == String.class || (value.isBigDecimal() && changes(value.decimalValue())))) {
            return TextNode.valueOf(ToolArguments.text(value));
        }
        if (value instanceof ObjectNode object) {
            object.properties().forEach(entry -> entry.setValue(exactInside(entry.getValue())));
        } else if (value instanceof ArrayNode array) {
            for (int i = 0; i < array.size(); i++) {
                array.set(i, exactInside(array.get(i)));
            }
        }
        return value;
    }

    private static JsonNode exactInside(JsonNode value) {
        return exact(value, JsonNode.class);
    }

    private static boolean changes(BigDecimal number) {
        double asDouble = number.doubleValue();
        return Double.isInfinite(asDouble) || !new BigDecimal(Double.toString(asDouble)).equals(number);
    }

    /**
     * The arguments that a method would get: LangChain4j's own conversion, without the call. The values, written as JSON again,
     * must be the same. Immutable.
     */
    private static final class JavaArguments {

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
            Object converted;
            try {
                converted = COERCE.invoke(null, value, name, raw, type);
            } catch (InvocationTargetException e) {
                return List.of(SameValue.step("", name) + problem(e.getCause(), shown, raw));
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
                return List.of(SameValue.step("", name) + ": a " + raw.getSimpleName()
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
                return path + ": "
                        + cut(String.valueOf(last.getMessage())); // a constructor of the application has refused
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
}
