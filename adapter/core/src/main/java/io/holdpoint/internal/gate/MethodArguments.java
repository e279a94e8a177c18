package io.holdpoint.internal.gate;

import static dev.langchain4j.service.IllegalConfigurationException.illegalConfiguration;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.langchain4j.agent.tool.P;
import dev.langchain4j.agent.tool.ToolSpecification;
import dev.langchain4j.model.chat.request.json.JsonObjectSchema;
import io.holdpoint.internal.gate.JavaArguments.Taken;
import io.holdpoint.internal.gate.JavaArguments.Unfillable;
import io.holdpoint.internal.schema.ArgumentCheck;
import java.lang.reflect.Method;
import java.lang.reflect.Parameter;
import java.lang.reflect.Type;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

/**
 * The defaults, types and constraints of a tool's arguments. LangChain4j fills in defaults and converts values on the way to a
 * method; here both happen before, so that the shown arguments are the ones that run. Immutable.
 */
public final class MethodArguments {

    /** For tools that are not methods: they take their arguments as they are. */
    public static final MethodArguments NONE =
            new MethodArguments(Map.of(), Map.of(), ArgumentCheck.NONE, MissingNode.getInstance(), false, Set.of());

    private final Map<String, JsonNode> defaults;
    private final ArgumentCheck constraints;
    private final boolean constrained;
    private final JavaArguments values;
    private final Set<String> neverNull;

    /** An argument that the method would not get as it is: a sentence that begins with its JSON path, and what was thrown. */
    public record Misfit(String text, Optional<Throwable> cause) {

        static Misfit of(String path, String problem) {
            return new Misfit(path + ": " + problem, Optional.empty());
        }

        static List<Misfit> all(List<String> texts) {
            return texts.stream()
                    .map(text -> new Misfit(text, Optional.empty()))
                    .toList();
        }

        @Override
        public String toString() {
            return text;
        }
    }

    private MethodArguments(
            Map<String, Parameter> parameters,
            Map<String, JsonNode> defaults,
            ArgumentCheck constraints,
            JsonNode schema,
            boolean isKotlin,
            Set<String> neverNull) {
        this.neverNull = neverNull;
        this.defaults = defaults;
        this.constraints = constraints;
        this.constrained = !constraints.schema().isEmpty();
        this.values = new JavaArguments(parameters, schema, isKotlin);
    }

    static MethodArguments of(ToolMethod method, ToolSpecification tool) {
        Map<String, Parameter> parameters = parameters(method.method());
        Map<String, JsonNode> defaults = new LinkedHashMap<>();
        for (Parameter parameter : method.method().getParameters()) {
            P described = parameter.getAnnotation(P.class);
            String name = name(parameter);
            if (described != null && !P.NO_DEFAULT.equals(described.defaultValue())) {
                defaults.put(name, defaultValue(parameter.getType(), described.defaultValue()));
            }
        }
        ArgumentCheck constraints = constraints(method, ToolSchemas.parameterNames(tool));
        boolean isKotlin = KotlinTools.isKotlin(method.method().getDeclaringClass());
        return new MethodArguments(
                parameters,
                defaults,
                constraints,
                ToolSchemas.declared(tool),
                isKotlin,
                KotlinTools.neverNull(method.method()));
    }

    private static Map<String, Parameter> parameters(Method method) {
        Map<String, Parameter> parameters = new LinkedHashMap<>();
        for (Parameter parameter : method.getParameters()) {
            parameters.put(name(parameter), parameter);
        }
        return parameters;
    }

    /** The same tool, with the members of records and beans by the names by which they are shown and taken. */
    public static ToolSpecification asRead(ToolSpecification tool, Method method) {
        JsonObjectSchema described = tool.parameters();
        JsonObjectSchema read = described == null ? null : JavaArguments.asRead(described, parameters(method));
        return Objects.equals(read, described)
                ? tool
                : tool.toBuilder().parameters(read).build();
    }

    /** The name under which a parameter is shown. */
    public static String name(Parameter parameter) {
        P described = parameter.getAnnotation(P.class);
        return described == null || described.name().isBlank() ? parameter.getName() : described.name();
    }

    private static ArgumentCheck constraints(ToolMethod method, Set<String> parameters) {
        if (ArgumentCheck.Reader.FOUND.isEmpty()) {
            UnreadConstraints.refuse(method, parameters);
            return ArgumentCheck.NONE;
        }
        try {
            return ArgumentCheck.Reader.FOUND
                    .get()
                    .read(method.declarations(), MethodArguments::name, JavaArguments::names, parameters);
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

    boolean isConstrained() {
        return constrained;
    }

    /** The constraints of all arguments, written by a model or by a person. */
    ArgumentCheck constraints() {
        return constraints;
    }

    /** Tells whether the tool is no method: its schema is all that is known of its arguments. */
    boolean isOfNoMethod() {
        return this == NONE;
    }

    /**
     * Arguments as the method gets them, of complete ones: {@code "500"} for a number is the number, 5551234 for a {@code String} is a text,
     * and a constant has its own name. A value that does not fit stays as it is. Those of a tool that is no method are what they are.
     */
    public Taken taken(ObjectNode complete) {
        return isOfNoMethod() ? Taken.asSent(complete, List.of()) : values.taken(complete);
    }

    /** Edited arguments, with defaults, as the method gets them. */
    public ObjectNode edited(ObjectNode edits) {
        return taken(complete(edits)).arguments();
    }

    /** The arguments that the method would not get as they are. */
    public List<Misfit> misfits(ObjectNode complete) {
        return taken(complete).all();
    }

    /** The parameters and parts of them that no call can fill, as far as Jackson knows before there is a call. */
    List<Unfillable> unfillable() {
        return values.unfillable();
    }

    /** The parameters whose type arguments LangChain4j forgets: a body would get other values than those that were shown. */
    Map<String, Type> forgotten() {
        return values.forgotten();
    }

    ObjectNode defaults() {
        ObjectNode node = JsonNodeFactory.instance.objectNode();
        return node.setAll(defaults).deepCopy();
    }

    /**
     * Adds the defaults of absent arguments, so that they are shown, hashed and stored, and takes out what is null and does not run as
     * that; the result is canonical.
     */
    public ObjectNode complete(ObjectNode arguments) {
        if (defaults.isEmpty() && neverNull.isEmpty()) {
            return ToolArguments.canonical(arguments);
        }
        ObjectNode complete = arguments.deepCopy();
        defaults.forEach((name, value) -> {
            if (!complete.hasNonNull(name)) {
                complete.set(name, value);
            }
        });
        neverNull.stream().filter(name -> !complete.hasNonNull(name)).forEach(complete::remove);
        return ToolArguments.canonical(complete);
    }

    /**
     * The text to execute with, from complete canonical arguments. LangChain4j reads a fraction as a {@code double}; digits that it
     * would lose on the way to a type that keeps them are handed on as a text.
     */
    public String forExecution(String canonicalText) {
        if (isOfNoMethod()) {
            return canonicalText;
        }
        ObjectNode arguments = ToolArguments.read(canonicalText);
        return WrittenBack.hasDigitsToLose(arguments)
                ? ToolArguments.write(
                        (ObjectNode) JavaArguments.withTexts(taken(arguments).arguments()))
                : canonicalText;
    }
}
