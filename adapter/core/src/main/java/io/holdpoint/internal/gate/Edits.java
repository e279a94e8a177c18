package io.holdpoint.internal.gate;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Checks edited arguments against those that were shown, as far as the schema of edits does not say it, and completes them. */
public final class Edits {

    /** No {@code double} needs more digits to be told from the others, and JavaScript writes no more. */
    private static final int MOST_DIGITS_OF_A_DOUBLE = 17;

    /** The same number is the same value, however it is written: clients write {@code 20.0} as {@code 20}. */
    private static final Comparator<JsonNode> BY_VALUE = (one, other) -> {
        if (one.isNumber() && other.isNumber()) {
            return one.decimalValue().compareTo(other.decimalValue());
        }
        return one.equals(other) ? 0 : 1;
    };

    private Edits() {}

    static List<String> violations(JsonNode form, ObjectNode shown, ObjectNode edited) {
        List<String> violations = new ArrayList<>();
        String root = "/" + ApprovalForm.EDITS;
        changedReadOnly(form, shown, edited, root, violations);
        form.path("properties").properties().forEach(parameter -> {
            String name = parameter.getKey();
            JsonNode value = edited.path(name);
            if (!isReadOnly(parameter.getValue())) {
                rounded(shown.path(name), value, ToolArguments.step(root, name), violations);
            }
            JsonNode byDefault = parameter.getValue().get("default");
            if (byDefault != null && value.isNull()) {
                violations.add(ToolArguments.step(root, name) + ": null would reach the tool as " + byDefault
                        + "; send a value, or leave it out");
            }
        });
        return violations;
    }

    private static void changedReadOnly(
            JsonNode form, JsonNode shown, JsonNode edited, String path, List<String> violations) {
        form.path("properties").properties().forEach(property -> {
            String name = property.getKey();
            JsonNode value = edited.get(name);
            if (value == null || isSame(value, shown.get(name))) {
                return;
            }
            String place = ToolArguments.step(path, name);
            boolean isPartly = isPartlyReadOnly(property.getValue());
            if (isPartly && value.isObject()) {
                changedReadOnly(property.getValue(), shown.path(name), value, place, violations);
            } else if (isPartly || isReadOnly(property.getValue())) {
                violations.add(place + ": may not be changed; send it as it was shown, or leave it out");
            }
        });
    }

    /** Finds numbers that nobody has changed but a client that reads them as {@code double}, as JavaScript does. */
    private static void rounded(JsonNode shown, JsonNode edited, String path, List<String> violations) {
        if (shown.isNumber() && edited.isNumber() && !isSame(edited, shown)) {
            if (edited.doubleValue() == shown.doubleValue()
                    && edited.decimalValue().stripTrailingZeros().precision() <= MOST_DIGITS_OF_A_DOUBLE
                    && !WrittenBack.isDouble(shown.decimalValue())) {
                violations.add(
                        path + ": the client has rounded " + shown + " to " + edited + "; send it as it was shown");
            }
        } else if (shown.isObject() && edited.isObject()) {
            edited.properties()
                    .forEach(field -> rounded(
                            shown.path(field.getKey()),
                            field.getValue(),
                            path + ToolArguments.step("", field.getKey()),
                            violations));
        } else if (shown.isArray() && edited.isArray()) {
            for (int i = 0; i < edited.size(); i++) {
                rounded(shown.path(i), edited.get(i), path + "/" + i, violations);
            }
        }
    }

    /** Tells whether edited arguments have the values that were shown. */
    public static boolean isSame(JsonNode edited, @Nullable JsonNode shown) {
        return shown != null && edited.equals(BY_VALUE, shown);
    }

    /** The edited arguments, with what may not be changed as it was shown. */
    static ObjectNode keepReadOnly(JsonNode form, JsonNode shown, ObjectNode edited) {
        ObjectNode kept = edited.deepCopy();
        keep(form, shown, kept);
        return kept;
    }

    private static void keep(JsonNode form, JsonNode shown, ObjectNode kept) {
        form.path("properties").properties().forEach(property -> {
            String name = property.getKey();
            boolean isPartly = isPartlyReadOnly(property.getValue());
            if (isPartly && kept.get(name) instanceof ObjectNode part) {
                keep(property.getValue(), shown.path(name), part);
            } else if (isPartly || isReadOnly(property.getValue())) {
                kept.remove(name);
                Optional.ofNullable(shown.get(name)).ifPresent(value -> kept.set(name, value.deepCopy()));
            }
        });
    }

    private static boolean isReadOnly(JsonNode form) {
        return form.path("readOnly").booleanValue();
    }

    private static boolean isPartlyReadOnly(JsonNode form) {
        return form.path("properties").valueStream().anyMatch(part -> isReadOnly(part) || isPartlyReadOnly(part));
    }
}
