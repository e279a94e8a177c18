package io.holdpoint.internal.gate;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.NumericNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.math.BigDecimal;
import java.time.DateTimeException;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Compares what a person is shown with what a Java type makes of it. Another way to write the same value is no difference: a
 * number as a text, a date as fields, a set in another order. Immutable.
 */
final class ValueComparison {

    /** Decimals of that many digits come back from a {@code double} as they were. */
    private static final int DIGITS_OF_A_DOUBLE = 15;

    private static final int MAX_SHOWN = 60;

    private static final Pattern UUID = Pattern.compile("\\p{XDigit}{8}(-\\p{XDigit}{4}){3}-\\p{XDigit}{12}");

    private final JsonNode schema;

    /** The schema of all arguments says which fields the types have. */
    ValueComparison(JsonNode schema) {
        this.schema = schema;
    }

    /** The differences of one argument, each with its JSON path; empty if the tool gets what is shown. */
    List<String> differences(JsonNode shown, JsonNode received, String argument) {
        List<String> found = new ArrayList<>();
        compare(shown, received, fields(List.of(schema), argument), step("", argument), found);
        return found;
    }

    static String step(String path, String name) {
        return path + "/" + name.replace("~", "~0").replace("/", "~1");
    }

    /** Finds the numbers that a {@code double} does not hold, each as it is written. */
    static void digits(JsonNode value, String path, ObjectNode found) {
        if (value.isNumber() && !isDouble(value.decimalValue())) {
            found.put(path, value.toString());
        }
        value.properties().forEach(field -> digits(field.getValue(), step(path, field.getKey()), found));
        for (int i = 0; value.isArray() && i < value.size(); i++) {
            digits(value.get(i), path + "/" + i, found);
        }
    }

    private void compare(JsonNode shown, JsonNode received, List<JsonNode> schemas, String path, List<String> found) {
        if (shown.isObject() && received.isObject()) {
            compareFields(shown, received, schemas, path, found);
        } else if (shown.isArray() && received.isArray()) {
            compareElements(shown, received, schemas, path, found);
        } else if (shown.isNull() ? !isNothing(received) : !isSameScalar(shown, received, schemas, path)) {
            found.add(path + ": " + text(shown) + " would reach the tool as " + text(received));
        }
    }

    /** A field that is not shown counts if the tool's schema declares it. The values of a map have no schema: there, each counts. */
    private void compareFields(
            JsonNode shown, JsonNode received, List<JsonNode> schemas, String path, List<String> found) {
        boolean known = schemas.stream()
                .flatMap(each -> alternatives(each, new HashSet<>()))
                .anyMatch(each -> !each.path("properties").isEmpty());
        Map<String, JsonNode> further = new TreeMap<>();
        received.properties().forEach(field -> further.put(field.getKey(), field.getValue()));
        shown.properties().forEach(field -> further.remove(field.getKey()));
        for (Map.Entry<String, JsonNode> field : shown.properties()) {
            String name = field.getKey();
            JsonNode value = field.getValue();
            if (received.has(name)) {
                compare(value, received.get(name), fields(schemas, name), step(path, name), found);
            } else if (!value.isNull()) {
                found.add(step(path, name) + ": the tool does not get it");
            }
        }
        further.forEach((name, value) -> {
            if (!isNothing(value) && (!known || !fields(schemas, name).isEmpty())) {
                found.add(step(path, name) + ": is missing, and the tool would get " + text(value));
            }
        });
    }

    private void compareElements(
            JsonNode shown, JsonNode received, List<JsonNode> schemas, String path, List<String> found) {
        List<JsonNode> items = schemas.stream()
                .flatMap(each -> alternatives(each, new HashSet<>()))
                .map(each -> each.path("items"))
                .toList();
        List<String> inOrder = new ArrayList<>();
        for (int i = 0; i < Math.min(shown.size(), received.size()); i++) {
            compare(shown.get(i), received.get(i), items, path + "/" + i, inOrder);
        }
        if (shown.size() != received.size()) {
            inOrder.add(path + ": has " + shown.size() + " values, and the tool would get " + received.size());
        }
        if (!inOrder.isEmpty() && !keys(shown).equals(keys(received))) {
            found.addAll(inOrder);
        }
    }

    /** The values of a set, in an order of their own. */
    private static List<String> keys(JsonNode array) {
        return array.valueStream().map(ValueComparison::key).sorted().toList();
    }

    private static String key(JsonNode value) {
        if (value.isNumber() && !isNaN(value)) {
            return value.decimalValue().stripTrailingZeros().toString();
        }
        if (value instanceof ObjectNode object) {
            Map<String, String> fields = new TreeMap<>();
            object.properties().forEach(field -> {
                if (!isNothing(field.getValue())) {
                    fields.put(field.getKey(), key(field.getValue()));
                }
            });
            return fields.toString();
        }
        return value.isTextual() ? '"' + spelled(value.textValue()) : value.toString();
    }

    // --- single values

    private boolean isSameScalar(JsonNode shown, JsonNode received, List<JsonNode> schemas, String path) {
        if (shown.isNumber()) {
            return received.isNumber()
                    ? isSameNumber(shown, received)
                    : received.isTextual() && received.textValue().equals(ToolArguments.text(shown));
        }
        if (shown.isBoolean()) {
            return received.isBoolean()
                    ? shown.equals(received)
                    : shown.asText().equals(received.textValue());
        }
        if (shown.isTextual()) {
            return isSameText(shown.textValue(), received, schemas, path);
        }
        return received.isTextual()
                && (shown.isObject()
                        ? isSameDate(shown, received.textValue())
                        : isSameBytes(shown, received.textValue()));
    }

    private static boolean isSameNumber(JsonNode shown, JsonNode received) {
        if (isNaN(received)) {
            return false;
        }
        BigDecimal exact = shown.decimalValue();
        return exact.compareTo(received.decimalValue()) == 0
                || (isDouble(exact) && exact.doubleValue() == received.doubleValue());
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

    /** A text that comes back as a number is the text of this number. */
    private boolean isSameText(String shown, JsonNode received, List<JsonNode> schemas, String path) {
        if (received.isTextual()) {
            return spelled(shown).equals(spelled(received.textValue())) || isSameInstant(shown, received.textValue());
        }
        if (shown.isBlank() || isNothing(received)) {
            return false;
        }
        if (received.isBoolean()) {
            return shown.equalsIgnoreCase(received.asText());
        }
        if (received.isNumber()) {
            return ToolArguments.number(shown)
                    .filter(number -> isSameNumber(number, received))
                    .isPresent();
        }
        List<String> found = new ArrayList<>();
        json(shown).ifPresent(inside -> compare(inside, received, schemas, path, found));
        return found.isEmpty();
    }

    /** The letters of a UUID may be small or capital ones. */
    private static String spelled(String text) {
        return UUID.matcher(text).matches() ? text.toLowerCase(Locale.ROOT) : text;
    }

    /** The object or array that a text has in it. */
    static Optional<JsonNode> json(String text) {
        try {
            return Optional.of(ToolArguments.readValue(text)).filter(JsonNode::isContainerNode);
        } catch (JsonProcessingException | NumberFormatException e) {
            return Optional.empty();
        }
    }

    private static boolean isSameInstant(String one, String other) {
        try {
            return OffsetDateTime.parse(one).isEqual(OffsetDateTime.parse(other));
        } catch (DateTimeException e) {
            return false;
        }
    }

    /** LangChain4j describes dates and times to a model as fields, and reads them leniently. */
    private static boolean isSameDate(JsonNode shown, String received) {
        try {
            Object value = shown.has("date")
                    ? only(shown, 2, LocalDateTime.of(date(shown.path("date")), time(shown.path("time"))))
                    : shown.has("year") ? date(shown) : time(shown);
            Object read = value instanceof LocalDateTime
                    ? LocalDateTime.parse(received)
                    : value instanceof LocalDate ? LocalDate.parse(received) : LocalTime.parse(received);
            return value.equals(read);
        } catch (DateTimeException | ArithmeticException | IllegalArgumentException e) {
            return false;
        }
    }

    private static LocalDate date(JsonNode fields) {
        return only(fields, 3, LocalDate.of(part(fields, "year"), part(fields, "month"), part(fields, "day")));
    }

    private static LocalTime time(JsonNode fields) {
        int optional = (fields.has("second") ? 1 : 0) + (fields.has("nano") ? 1 : 0);
        int second = fields.has("second") ? part(fields, "second") : 0;
        int nano = fields.has("nano") ? part(fields, "nano") : 0;
        return only(fields, 2 + optional, LocalTime.of(part(fields, "hour"), part(fields, "minute"), second, nano));
    }

    private static int part(JsonNode fields, String name) {
        if (!fields.path(name).isNumber()) {
            throw new IllegalArgumentException(name);
        }
        return fields.get(name).decimalValue().intValueExact();
    }

    private static <T> T only(JsonNode fields, int expected, T value) {
        if (fields.size() != expected) {
            throw new IllegalArgumentException("more than a date and a time");
        }
        return value;
    }

    /** Jackson writes bytes and characters as one text. */
    private static boolean isSameBytes(JsonNode shown, String received) {
        StringBuilder characters = new StringBuilder();
        byte[] bytes = new byte[shown.size()];
        for (int i = 0; i < bytes.length; i++) {
            characters.append(shown.get(i).textValue());
            BigDecimal number = shown.get(i).decimalValue();
            bytes[i] = number.byteValue();
            if (!shown.get(i).isTextual() && number.compareTo(BigDecimal.valueOf(bytes[i])) != 0) {
                return false;
            }
        }
        return received.contentEquals(characters)
                || received.equals(Base64.getEncoder().encodeToString(bytes));
    }

    /** An empty list is none: a type that keeps lists fills it in. */
    private static boolean isNothing(JsonNode value) {
        return value.isNull() || value.isMissingNode() || (value.isContainerNode() && value.isEmpty());
    }

    private static String text(JsonNode value) {
        String json = value instanceof MissingNode ? "nothing" : value.toString();
        return json.length() <= MAX_SHOWN ? json : json.substring(0, MAX_SHOWN) + "…";
    }

    // --- the schema

    /** The schemas of a field in any of the types that a value may have; empty if none of them has it. */
    private List<JsonNode> fields(List<JsonNode> schemas, String name) {
        return schemas.stream()
                .flatMap(each -> alternatives(each, new HashSet<>()))
                .map(each -> each.path("properties").path(name))
                .filter(JsonNode::isObject)
                .toList();
    }

    private Stream<JsonNode> alternatives(JsonNode one, Set<JsonNode> seen) {
        JsonNode reference = one.path("$ref");
        if (reference.isTextual()) {
            String name = reference.textValue().substring(reference.textValue().lastIndexOf('/') + 1);
            JsonNode target = schema.path("$defs").path(name);
            return seen.add(reference) ? alternatives(target, seen) : Stream.empty();
        }
        return one.path("anyOf").isArray()
                ? Stream.concat(
                        Stream.of(one), one.path("anyOf").valueStream().flatMap(each -> alternatives(each, seen)))
                : Stream.of(one);
    }
}
