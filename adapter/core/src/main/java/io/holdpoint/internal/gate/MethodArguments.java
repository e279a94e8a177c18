package io.holdpoint.internal.gate;

import static dev.langchain4j.service.IllegalConfigurationException.illegalConfiguration;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.langchain4j.agent.tool.P;
import io.holdpoint.agui.AguiCodec;
import io.holdpoint.internal.schema.ParameterConstraints;
import java.lang.reflect.Parameter;
import java.math.BigDecimal;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

/**
 * The defaults, types and constraints of a tool's arguments. LangChain4j fills in defaults and converts values on the way to a
 * method; here both happen before, so that the shown arguments are the ones that run. Immutable.
 */
public final class MethodArguments {

    /** For tools that are not methods: they take their arguments as they are. */
    public static final MethodArguments NONE = new MethodArguments(Map.of(), Map.of(), ParameterConstraints.NONE);

    private final Map<String, Class<?>> types;
    private final Map<String, JsonNode> defaults;
    private final ParameterConstraints constraints;

    private MethodArguments(
            Map<String, Class<?>> types, Map<String, JsonNode> defaults, ParameterConstraints constraints) {
        this.types = types;
        this.defaults = defaults;
        this.constraints = constraints;
    }

    /**
     * Reads a method.
     */
    static MethodArguments of(ToolMethod method, Set<String> parameters) {
        Map<String, Class<?>> types = new LinkedHashMap<>();
        Map<String, JsonNode> defaults = new LinkedHashMap<>();
        for (Parameter parameter : method.method().getParameters()) {
            P described = parameter.getAnnotation(P.class);
            String name = name(parameter);
            types.put(name, parameter.getType());
            if (described != null && !P.NO_DEFAULT.equals(described.defaultValue())) {
                defaults.put(name, defaultValue(parameter.getType(), described.defaultValue()));
            }
        }
        return new MethodArguments(types, defaults, constraints(method, parameters));
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

    /** The constraints of all arguments, written by a model or by a person. */
    ParameterConstraints constraints() {
        return constraints;
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
        if (types.isEmpty()) {
            return canonicalText;
        }
        ObjectNode arguments = ToolArguments.read(canonicalText);
        for (Map.Entry<String, JsonNode> argument : arguments.properties()) {
            Class<?> type = types.get(argument.getKey());
            if (type != null) {
                argument.setValue(exact(argument.getValue(), type));
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
}
