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

/**
 * The arguments of an edit, as far as the stored question says: which may be changed, and what those are that may not or that
 * are left out.
 */
public final class EditedArguments {

    /** The field of an answer that has them. */
    static final String FIELD = "editedArgs";

    /** The same number is the same value, however it is written: clients write {@code 20.0} as {@code 20}. */
    private static final Comparator<JsonNode> BY_VALUE = (one, other) -> {
        if (one.isNumber() && other.isNumber()) {
            return one.decimalValue().compareTo(other.decimalValue());
        }
        return one.equals(other) ? 0 : 1;
    };

    private EditedArguments() {}

    /**
     * What is wrong with an edit, besides what its schema says.
     *
     * @param responseSchema the question's
     * @param shown the arguments that the person was shown
     * @param edited those that they sent
     * @return the arguments that may not be changed and were, each with its path in the answer; empty if there are none
     */
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

    /**
     * Puts in what may not be changed, as it was shown, whatever was sent for it.
     *
     * @param responseSchema the question's
     * @param shown the arguments that the person was shown
     * @param edited those that they sent
     * @return a copy
     */
    public static ObjectNode keepReadOnly(ObjectNode responseSchema, ObjectNode shown, ObjectNode edited) {
        ObjectNode kept = edited.deepCopy();
        for (String name : readOnly(responseSchema)) {
            kept.remove(name);
            Optional.ofNullable(shown.get(name)).ifPresent(value -> kept.set(name, value.deepCopy()));
        }
        return kept;
    }

    /**
     * Adds the defaults that the question was asked with, and what may not be changed. A tool that has other defaults by now
     * does not run: its hash differs.
     *
     * @param responseSchema the question's
     * @param shown the arguments that the person was shown
     * @param edited arguments that match it
     * @return the same in canonical form, complete
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
