package io.holdpoint.internal.schema;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.holdpoint.agui.AguiCodec;
import java.lang.reflect.Method;
import java.lang.reflect.Parameter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The Jakarta Validation constraints of a method's parameters: the application's Bean Validation checks the values, and a JSON
 * schema shows a form what it can say of them. Thread-safe, except for the schema, which callers do not change.
 */
public record ParameterConstraints(ObjectNode schema, Optional<Check> check) {

    /** The constraints of a tool that is no method, or whose method has none. */
    public static final ParameterConstraints NONE =
            new ParameterConstraints(AguiCodec.mapper().createObjectNode(), Optional.empty());

    /** Looks for the violations of the values of all parameters, each with its JSON path. */
    public interface Check {
        List<String> violations(@Nullable Object[] values);
    }

    /**
     * Reads the annotations of a method and of all that it overrides or implements. The object is one that has the method, and a name
     * that is not known is that of a parameter that no argument fills.
     *
     * @throws IllegalArgumentException if they cannot be checked; the message says why, and what to do
     */
    public static ParameterConstraints of(
            Method method,
            List<Method> declarations,
            Function<Parameter, String> names,
            Set<String> known,
            Supplier<Object> object,
            Optional<Object> validatorFactory) {
        Parameter[] parameters = method.getParameters();
        List<String> arguments = Arrays.stream(parameters).map(names).toList();
        ConstraintScan scan = new ConstraintScan();
        for (int i = 0; i < parameters.length; i++) {
            int index = i;
            List<Parameter> declared = declarations.stream()
                    .map(each -> each.getParameters()[index])
                    .toList();
            if (known.contains(arguments.get(i))) {
                scan.look(
                        declared,
                        declared.stream().map(Parameter::getAnnotatedType).toList(),
                        arguments.get(i));
            }
        }
        if (!scan.withoutValid().isEmpty()) {
            throw new IllegalArgumentException("Bean Validation skips the constraints of the class of "
                    + String.join(", ", scan.withoutValid()) + ", because @Valid is missing there. Add @Valid");
        }
        return scan.found()
                ? BeanValidation.of(validatorFactory).constraints(object.get(), method, arguments, known)
                : NONE;
    }

    /** Tells whether an object is a factory of validators; without that library, none is. */
    public static boolean isValidatorFactory(Object object) {
        try {
            return BeanValidation.isFactory(object);
        } catch (NoClassDefFoundError e) {
            return false;
        }
    }

    public boolean isEmpty() {
        return check.isEmpty();
    }

    /** Adds the constraints to the parameters' own schema, which has no references. */
    public void addTo(ObjectNode parameters) {
        merge(parameters, schema);
    }

    private static void merge(ObjectNode target, ObjectNode constraints) {
        JsonNode properties = target.path("properties");
        constraints.properties().forEach(keyword -> {
            JsonNode value = keyword.getValue();
            switch (keyword.getKey()) {
                case "properties" ->
                    value.properties().forEach(property -> {
                        if (properties.get(property.getKey()) instanceof ObjectNode known) {
                            merge(known, (ObjectNode) property.getValue());
                        }
                    });
                case "items" -> {
                    if (target.get("items") instanceof ObjectNode items) {
                        merge(items, (ObjectNode) value);
                    }
                }
                case "required" -> require(target, value, properties);
                default -> target.set(keyword.getKey(), value.deepCopy());
            }
        });
    }

    private static void require(ObjectNode target, JsonNode names, JsonNode properties) {
        List<String> required = new ArrayList<>();
        target.path("required").forEach(name -> required.add(name.asText()));
        names.forEach(name -> {
            if (properties.has(name.asText()) && !required.contains(name.asText())) {
                required.add(name.asText());
            }
        });
        ArrayNode all = target.putArray("required");
        required.forEach(all::add);
    }
}
