package io.holdpoint.internal.validation;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.holdpoint.internal.schema.ArgumentCheck;
import java.lang.reflect.Method;
import java.lang.reflect.Parameter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;

/**
 * The Jakarta Validation constraints of a method's parameters, as a JSON schema of the arguments: it has only
 * constraints and the types of constrained values. Immutable, except for the schema, which callers do not change.
 */
record ParameterConstraints(ObjectNode schema, List<String> remarks) implements ArgumentCheck {

    private static final Set<String> NOT_MERGED = Set.of("type", "properties", "items", "required", "$defs", "$ref");

    /** Reads annotations. */
    static ParameterConstraints of(
            List<Method> declarations,
            Function<Parameter, String> names,
            Function<Class<?>, Map<String, String>> fields,
            Set<String> known) {
        TypeConstraints types = new TypeConstraints(fields);
        ValueSchema.Fields arguments = new ValueSchema.Fields();
        Parameter[] parameters = declarations.get(0).getParameters();
        for (int i = 0; i < parameters.length; i++) {
            String name = names.apply(parameters[i]);
            if (!known.contains(name)) {
                continue;
            }
            int index = i;
            var annotations = declarations.stream()
                    .flatMap(each -> Arrays.stream(each.getParameters()[index].getAnnotations()))
                    .distinct()
                    .toList();
            var annotatedTypes = declarations.stream()
                    .map(each -> each.getParameters()[index].getAnnotatedType())
                    .toList();
            arguments.property(name, types.of(annotations, annotatedTypes, name));
        }
        ObjectNode schema = types.found() ? arguments.withDefinitions(types.definitions()) : NONE.schema();
        return new ParameterConstraints(schema, types.remarks());
    }

    @Override
    public void addTo(ObjectNode parameters) {
        merge(parameters, schema);
    }

    private static void merge(ObjectNode target, ObjectNode constraints) {
        constraints.properties().forEach(keyword -> {
            if (!NOT_MERGED.contains(keyword.getKey())) {
                target.set(keyword.getKey(), keyword.getValue().deepCopy());
            }
        });
        JsonNode properties = target.path("properties");
        constraints.path("properties").properties().forEach(property -> {
            if (properties.get(property.getKey()) instanceof ObjectNode known) {
                merge(known, (ObjectNode) property.getValue());
            }
        });
        if (target.get("items") instanceof ObjectNode items && constraints.get("items") instanceof ObjectNode more) {
            merge(items, more);
        }
        require(target, constraints.path("required"), properties);
    }

    private static void require(ObjectNode target, JsonNode names, JsonNode properties) {
        List<String> required = new ArrayList<>();
        target.path("required").forEach(name -> required.add(name.asText()));
        int before = required.size();
        names.forEach(name -> {
            if (properties.has(name.asText()) && !required.contains(name.asText())) {
                required.add(name.asText());
            }
        });
        if (required.size() > before) {
            ArrayNode all = target.putArray("required");
            required.forEach(all::add);
        }
    }
}
