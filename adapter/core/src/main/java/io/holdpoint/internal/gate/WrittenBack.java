package io.holdpoint.internal.gate;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.NumericNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.holdpoint.internal.gate.MethodArguments.Misfit;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * An argument as its Java type has written it, after it was made of the one that was sent. A person is shown this, without what is empty
 * there; only what has no order of its own is in the order that was sent. Not thread-safe.
 */
final class WrittenBack {

    /** Decimals of that many digits come back from a {@code double} as they were. */
    private static final int DIGITS_OF_A_DOUBLE = 15;

    private static final int MAX_SHOWN = 60;

    /** The parts of a time of the day that may be left out. */
    private static final Set<String> OF_A_TIME = Set.of("second", "nano");

    /** The values that the type does not keep, each with its path. */
    final List<Misfit> lost = new ArrayList<>();

    /** The texts, and the orders of lists, that the type has written in another way, each with its path. */
    final List<Misfit> respelled = new ArrayList<>();

    final JsonNode shown;

    private final JsonNode schema;
    private final boolean fillsIn;
    private final Set<String> unordered;
    private final int root;

    /** The schema of all arguments says which fields the types have; {@code fillsIn} if all that is left out of them is shown. */
    WrittenBack(JsonNode schema, boolean fillsIn, JsonNode sent, TypeWriter.Written written, String path) {
        this.schema = schema;
        this.fillsIn = fillsIn;
        this.unordered = written.unordered();
        this.root = path.length();
        this.shown = shown(sent, written.json(), path);
    }

    private JsonNode shown(JsonNode sent, JsonNode written, String path) {
        if (sent.isObject() && written.isObject()) {
            return fields(sent, written, path);
        }
        if (sent.isArray() && written.isArray()) {
            return elements(sent, written, path);
        }
        if (!isKept(sent, written)) {
            lost.add(becomes(path, sent, written));
        } else if (sent.isTextual() && written.isTextual() && !sent.equals(written)) {
            respelled.add(becomes(path, sent, written));
        }
        boolean isAsSent = sent.isNumber() && written.isFloatingPointNumber() && !hasDigitsToLose(sent);
        return isAsSent ? sent : written;
    }

    private JsonNode fields(JsonNode sent, JsonNode written, String path) {
        ObjectNode shown = ((ObjectNode) sent).objectNode();
        for (Map.Entry<String, JsonNode> field : sent.properties()) {
            String place = ToolArguments.step(path, field.getKey());
            JsonNode value = written.get(field.getKey());
            if (value != null) {
                shown.set(field.getKey(), shown(field.getValue(), value, place));
            } else if (!field.getValue().isNull()) {
                lost.add(Misfit.of(place, "the tool does not get it"));
            }
        }
        for (Map.Entry<String, JsonNode> field : written.properties()) {
            String name = field.getKey();
            JsonNode value = field.getValue();
            if (sent.has(name) || (fillsIn ? value.isNull() : isNothing(value))) {
                continue;
            }
            String place = ToolArguments.step(path, name);
            if (fillsIn || OF_A_TIME.contains(name) || !isDeclared(place)) {
                shown.set(name, value);
            } else {
                lost.add(Misfit.of(place, "is missing, and the tool would get " + text(value)));
            }
        }
        return shown;
    }

    /** The values of a map have no schema: there, each field counts. */
    private boolean isDeclared(String place) {
        return ArgumentPath.isDeclared(schema, place.substring(1).replace('/', '.'));
    }

    private JsonNode elements(JsonNode sent, JsonNode written, String path) {
        if (sent.size() != written.size()) {
            lost.add(Misfit.of(path, "has " + sent.size() + " values, and the tool would get " + written.size()));
            return written;
        }
        ArrayNode shown = ((ArrayNode) sent).arrayNode(sent.size());
        int lostBefore = lost.size();
        int respelledBefore = respelled.size();
        for (int i = 0; i < sent.size(); i++) {
            shown.add(shown(sent.get(i), written.get(i), path + "/" + i));
        }
        if (lost.size() > lostBefore || respelled.size() > respelledBefore) {
            Optional<JsonNode> same = inOrderOf(sent, written);
            if (same.isPresent()) {
                lost.subList(lostBefore, lost.size()).clear();
                respelled.subList(respelledBefore, respelled.size()).clear();
                if (unordered.contains(path.substring(root))) {
                    return same.get();
                }
                respelled.add(becomes(path, sent, written)); // a list that the type has sorted
                return written;
            }
        }
        return shown;
    }

    /** The written values in the order that was sent; empty if they are others. */
    private static Optional<JsonNode> inOrderOf(JsonNode sent, JsonNode written) {
        Map<String, JsonNode> values = new HashMap<>();
        written.forEach(value -> values.put(key(value), value));
        ArrayNode shown = ((ArrayNode) sent).arrayNode(sent.size());
        for (JsonNode each : sent) {
            JsonNode value = values.remove(key(each));
            if (value == null) {
                return Optional.empty();
            }
            shown.add(value);
        }
        return Optional.of(shown);
    }

    private static String key(JsonNode value) {
        if (value.isNumber()) {
            return isNaN(value) ? "" : value.decimalValue().stripTrailingZeros().toString();
        }
        Map<String, String> fields = new TreeMap<>();
        for (Map.Entry<String, JsonNode> field : value.properties()) {
            if (!isNothing(field.getValue())) {
                fields.put(field.getKey(), key(field.getValue()));
            }
        }
        return value.isObject() ? fields.toString() : value.toString();
    }

    // --- single values

    private static boolean isKept(JsonNode sent, JsonNode written) {
        if (sent.isNull()) {
            return isNothing(written);
        }
        if (written.isNumber()) {
            JsonNode number = sent.isTextual() ? ToolArguments.number(sent.textValue()) : sent;
            return number.isNumber() && isSameNumber(number, written);
        }
        if (isNothing(written)) {
            return false;
        }
        return sent.isTextual() && !written.isBoolean()
                || sent.isValueNode() && sent.asText().equalsIgnoreCase(written.asText());
    }

    private static boolean isSameNumber(JsonNode sent, JsonNode written) {
        if (isNaN(written)) {
            return false;
        }
        BigDecimal exact = sent.decimalValue();
        return exact.compareTo(written.decimalValue()) == 0
                || (isDouble(exact) && exact.doubleValue() == written.doubleValue());
    }

    private static boolean isNaN(JsonNode number) {
        return number instanceof NumericNode java && java.isNaN();
    }

    /** Checks whether a number comes back from a {@code double} as it was. */
    static boolean isDouble(BigDecimal number) {
        double asDouble = number.doubleValue();
        boolean fewDigits = number.stripTrailingZeros().precision() <= DIGITS_OF_A_DOUBLE;
        return !Double.isInfinite(asDouble)
                && ((fewDigits && Math.abs(asDouble) >= Double.MIN_NORMAL)
                        || new BigDecimal(Double.toString(asDouble)).compareTo(number) == 0);
    }

    /** Checks for numbers that LangChain4j, which reads them as {@code double}, would write with other digits. */
    static boolean hasDigitsToLose(JsonNode value) {
        if (value.isBigDecimal()) {
            double read = value.doubleValue();
            return Double.isInfinite(read) || !value.decimalValue().equals(new BigDecimal(Double.toString(read)));
        }
        for (JsonNode part : value) {
            if (hasDigitsToLose(part)) {
                return true;
            }
        }
        return false;
    }

    /** The object or array that a text has in it. */
    static JsonNode json(JsonNode text) {
        try {
            JsonNode inside = ToolArguments.readValue(text.textValue());
            return inside.isContainerNode() ? inside : text;
        } catch (JsonProcessingException | NumberFormatException e) {
            return text;
        }
    }

    /** An empty list is none: a type that keeps lists fills it in. */
    private static boolean isNothing(JsonNode value) {
        return value.isNull() || value.isContainerNode() && value.isEmpty();
    }

    static Misfit becomes(String path, JsonNode sent, JsonNode written) {
        return Misfit.of(path, text(sent) + " would reach the tool as " + text(written));
    }

    private static String text(JsonNode value) {
        return MessageTemplate.cut(value.toString(), MAX_SHOWN);
    }
}
