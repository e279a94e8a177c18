package io.holdpoint.internal.gate;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Checks and completes edited arguments by the schema of the stored question, which marks read-only ones and has defaults. */
public final class EditedArguments {

    /** The field of an answer with the edited arguments. */
    static final String FIELD = "editedArgs";

    /** Compares numbers by value: clients write {@code 20.0} as {@code 20}. */
    private static final Comparator<JsonNode> BY_VALUE = (one, other) -> {
        if (one.isNumber() && other.isNumber()) {
            return one.decimalValue().compareTo(other.decimalValue());
        }
        return one.equals(other) ? 0 : 1;
    };

    private EditedArguments() {}

    /** Finds changes of read-only arguments, each with its path in the answer. */
    public static List<String> violations(ObjectNode responseSchema, ObjectNode shown, ObjectNode edited) {
        List<String> violations = new ArrayList<>();
        for (String name : readOnly(responseSchema)) {
            if (edited.has(name) && !isSame(edited.get(name), shown.get(name))) {
                violations.add("/" + FIELD + "/" + name.replace("~", "~0").replace("/", "~1")
                        + ": may not be changed; send it as it was shown, or leave it out");
            }
        }
        return violations;
    }

    private static boolean isSame(JsonNode edited, @Nullable JsonNode shown) {
        return shown != null && edited.equals(BY_VALUE, shown);
    }

    /** A copy of the edited arguments with the read-only ones as they were shown. */
    public static ObjectNode keepReadOnly(ObjectNode responseSchema, ObjectNode shown, ObjectNode edited) {
        ObjectNode kept = edited.deepCopy();
        for (String name : readOnly(responseSchema)) {
            kept.remove(name);
            Optional.ofNullable(shown.get(name)).ifPresent(value -> kept.set(name, value.deepCopy()));
        }
        return kept;
    }

    /**
     * Adds the read-only arguments and the question's defaults, in canonical form. A tool with other defaults by now does not
     * run: its hash differs.
     */
    public static ObjectNode complete(ObjectNode responseSchema, ObjectNode shown, ObjectNode edited) {
        ObjectNode complete = keepReadOnly(responseSchema, shown, edited);
        parameters(responseSchema).properties().forEach(parameter -> {
            JsonNode value = parameter.getValue().get("default");
            if (value != null && !complete.hasNonNull(parameter.getKey())) {
                complete.set(parameter.getKey(), value.deepCopy());
            }
        });
        return ToolArguments.canonical(complete);
    }

    /**
     * Leaves out the fields that are {@code null} and optional, at every depth: a model sends {@code null} for what it does not
     * say, and a person who changes another field sends it back.
     *
     * @param schema of the value
     * @param value any
     * @return a copy without them
     */
    public static JsonNode withoutOptionalNulls(JsonNode schema, JsonNode value) {
        if (value instanceof ObjectNode object) {
            ObjectNode kept = object.objectNode();
            for (Map.Entry<String, JsonNode> field : object.properties()) {
                JsonNode declared = schema.path("properties").path(field.getKey());
                boolean leftOut =
                        field.getValue().isNull() && !declared.isMissingNode() && !isRequired(schema, field.getKey());
                if (!leftOut) {
                    kept.set(field.getKey(), withoutOptionalNulls(declared, field.getValue()));
                }
            }
            return kept;
        }
        if (value instanceof ArrayNode array) {
            ArrayNode kept = array.arrayNode();
            array.forEach(element -> kept.add(withoutOptionalNulls(schema.path("items"), element)));
            return kept;
        }
        return value;
    }

    private static boolean isRequired(JsonNode schema, String name) {
        for (JsonNode required : schema.path("required")) {
            if (required.asText().equals(name)) {
                return true;
            }
        }
        return false;
    }

    private static List<String> readOnly(ObjectNode responseSchema) {
        return parameters(responseSchema).properties().stream()
                .filter(parameter -> parameter.getValue().path("readOnly").booleanValue())
                .map(Map.Entry::getKey)
                .toList();
    }

    private static JsonNode parameters(ObjectNode responseSchema) {
        return responseSchema.path("properties").path(FIELD).path("properties");
    }
}
