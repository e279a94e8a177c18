package io.holdpoint.internal.schema;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Collection;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * The words of JSON Schema for the constraints of Jakarta Validation that have one, so that a form shows the limits. Bean Validation
 * checks all constraints; no word is stricter than its constraint. Works on one schema; not thread-safe.
 */
record ConstraintKeywords(ObjectNode schema, Class<?> type) {

    /** As {@code String.trim()} has it, in Java's and in JavaScript's expressions alike. */
    static final String NOT_BLANK = "[^\\u0000-\\u0020]";

    /** The constructs that JavaScript does not know, or reads in another way than Java. */
    private static final Pattern NOT_PORTABLE = Pattern.compile(
            "\\(\\?[a-zA-Z-]+[):]|\\(\\?>|[*+?}]\\+|\\\\[AZzGhHRXNQ]|\\\\x\\{|&&|(?<!\\\\)\\[(?:[^\\]\\\\]|\\\\.)*\\["
                    + "|\\\\p\\{(?:Alpha|Lower|Upper|ASCII|Alnum|Digit|Punct|Graph|Print|Blank|Cntrl|XDigit|Space|java|Is|In)");

    /** Numbers with more digits are refused anyway. */
    private static final int MAX_DIGITS = 1_000;

    /** Adds a constraint, with its attributes; tells whether it needs a value. */
    boolean add(String name, Map<String, Object> attributes) {
        switch (name) {
            case "NotEmpty" -> size(1, Integer.MAX_VALUE);
            case "Size" -> size((int) attributes.get("min"), (int) attributes.get("max"));
            case "NotBlank" -> pattern(NOT_BLANK);
            case "Email" -> schema.put("format", "email");
            case "Pattern" -> pattern((String) attributes.get("regexp"), (Object[]) attributes.get("flags"));
            case "AssertTrue", "AssertFalse" -> truth(name.equals("AssertTrue"));
            default -> {
                if (isNumber()) {
                    number(name, attributes);
                }
            }
        }
        return name.equals("NotNull") || name.equals("NotEmpty") || name.equals("NotBlank");
    }

    private boolean isNumber() {
        return Number.class.isAssignableFrom(type) || type.isPrimitive() && type != boolean.class && type != char.class;
    }

    private void size(int min, int max) {
        String what = CharSequence.class.isAssignableFrom(type)
                ? "Length"
                : Collection.class.isAssignableFrom(type) || type.isArray() ? "Items" : "Properties";
        if (min > 0) {
            atLeast("min" + what, BigDecimal.valueOf(min));
        }
        if (max < Integer.MAX_VALUE) {
            atMost("max" + what, BigDecimal.valueOf(max));
        }
    }

    private void pattern(String regexp, Object[] flags) {
        String whole = "^(?:" + regexp + ")$"; // a schema looks for a match anywhere
        if (flags.length == 0 && !NOT_PORTABLE.matcher(regexp).find() && CountedPattern.isUsable(whole)) {
            pattern(whole);
        }
    }

    /** A schema has one pattern; further ones are schemas of their own that hold as well. */
    private void pattern(String regex) {
        if (!schema.has("pattern")) {
            schema.put("pattern", regex);
            return;
        }
        ArrayNode others = schema.get("allOf") instanceof ArrayNode present ? present : schema.putArray("allOf");
        others.addObject().put("pattern", regex);
    }

    private void truth(boolean value) {
        ArrayNode values = schema.putArray("enum").add(value);
        if (!type.isPrimitive()) {
            values.addNull();
        }
    }

    private void number(String name, Map<String, Object> attributes) {
        switch (name) {
            case "Min" -> atLeast("minimum", BigDecimal.valueOf((long) attributes.get("value")));
            case "Max" -> atMost("maximum", BigDecimal.valueOf((long) attributes.get("value")));
            case "DecimalMin" -> atLeast(inclusive(attributes, "minimum", "exclusiveMinimum"), decimal(attributes));
            case "DecimalMax" -> atMost(inclusive(attributes, "maximum", "exclusiveMaximum"), decimal(attributes));
            case "Positive" -> atLeast("exclusiveMinimum", BigDecimal.ZERO);
            case "PositiveOrZero" -> atLeast("minimum", BigDecimal.ZERO);
            case "Negative" -> atMost("exclusiveMaximum", BigDecimal.ZERO);
            case "NegativeOrZero" -> atMost("maximum", BigDecimal.ZERO);
            case "Digits" -> digits((int) attributes.get("integer"), (int) attributes.get("fraction"));
            default -> {}
        }
    }

    private static String inclusive(Map<String, Object> attributes, String inclusive, String exclusive) {
        return (boolean) attributes.get("inclusive") ? inclusive : exclusive;
    }

    private static BigDecimal decimal(Map<String, Object> attributes) {
        return new BigDecimal((String) attributes.get("value"));
    }

    private void digits(int integer, int fraction) {
        if (integer < MAX_DIGITS) {
            BigDecimal bound = new BigDecimal(BigInteger.TEN.pow(integer));
            atMost("exclusiveMaximum", bound);
            atLeast("exclusiveMinimum", bound.negate());
        }
        if (fraction < MAX_DIGITS) {
            atLeast("multipleOf", new BigDecimal(BigInteger.ONE, fraction));
        }
    }

    /** Of two bounds the stricter one counts. */
    private void atLeast(String keyword, BigDecimal bound) {
        JsonNode present = schema.get(keyword);
        if (present == null || present.decimalValue().compareTo(bound) < 0) {
            schema.put(keyword, bound);
        }
    }

    private void atMost(String keyword, BigDecimal bound) {
        JsonNode present = schema.get(keyword);
        if (present == null || present.decimalValue().compareTo(bound) > 0) {
            schema.put(keyword, bound);
        }
    }
}
