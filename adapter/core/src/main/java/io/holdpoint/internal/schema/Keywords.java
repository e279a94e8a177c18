package io.holdpoint.internal.schema;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Map;

/** What each constraint of Jakarta Validation is in JSON schema. */
final class Keywords {

    /** What browsers take as an address: the expression of HTML's {@code input type=email}. */
    static final String EMAIL = "^[a-zA-Z0-9.!#$%&'*+/=?^_`{|}~-]+@[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?"
            + "(?:\\.[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?)*$";

    /** As {@code String.trim()} has it, in Java's and in JavaScript's expressions alike. */
    static final String NOT_BLANK = "[^\\u0000-\\u0020]";

    /** What patterns that nobody wrote by hand mean. */
    static final Map<String, String> MEANINGS =
            Map.of(EMAIL, "must be an email address", NOT_BLANK, "must not be blank");

    /** Numbers with more digits are refused anyway. */
    private static final int MAX_DIGITS = 1_000;

    private Keywords() {}

    /**
     * Adds a constraint to a schema.
     *
     * @param constraint any
     * @param kind of the value
     * @param schema is added to
     * @return {@code false} if a schema cannot say it; then nothing was added
     * @throws IllegalArgumentException if the constraint makes no sense, such as a pattern that is none
     */
    static boolean add(Constraint constraint, ValueKind kind, ValueSchema schema) {
        return switch (constraint.name()) {
            case "NotNull" -> {
                schema.require();
                yield true;
            }
            case "NotEmpty" -> size(kind, schema, 1, Integer.MAX_VALUE, true);
            case "Size" -> size(kind, schema, constraint.number("min"), constraint.number("max"), false);
            case "NotBlank", "Email", "Pattern" -> kind == ValueKind.TEXT && text(constraint, schema);
            case "AssertTrue", "AssertFalse" -> kind == ValueKind.BOOLEAN && truth(constraint, schema);
            default -> kind.isNumeric() && number(constraint, schema);
        };
    }

    private static boolean size(ValueKind kind, ValueSchema schema, int min, int max, boolean required) {
        String what =
                switch (kind) {
                    case TEXT -> "Length";
                    case LIST -> "Items";
                    case MAP -> "Properties";
                    case INTEGER, NUMBER, BOOLEAN, OBJECT -> "";
                };
        if (what.isEmpty()) {
            return false;
        }
        if (required) {
            schema.require();
        }
        if (min > 0) {
            schema.atLeast("min" + what, BigDecimal.valueOf(min));
        }
        if (max < Integer.MAX_VALUE) {
            schema.atMost("max" + what, BigDecimal.valueOf(max));
        }
        return true;
    }

    private static boolean text(Constraint constraint, ValueSchema schema) {
        if (constraint.name().equals("NotBlank")) {
            schema.require();
            schema.pattern(NOT_BLANK);
            return true;
        }
        boolean any = constraint.name().equals("Email")
                && constraint.text("regexp").equals(".*")
                && constraint.names("flags").isEmpty();
        if (!any) {
            JavaPattern own = JavaPattern.of(constraint.text("regexp"), constraint.names("flags"));
            if (!own.isExpressible()) {
                return false;
            }
            schema.pattern(own.inSchema());
        }
        if (constraint.name().equals("Email")) {
            schema.node().put("format", "email");
            schema.pattern(EMAIL);
        }
        return true;
    }

    private static boolean truth(Constraint constraint, ValueSchema schema) {
        schema.node().putArray("enum").add(constraint.name().equals("AssertTrue"));
        return true;
    }

    private static boolean number(Constraint constraint, ValueSchema schema) {
        switch (constraint.name()) {
            case "Min" -> schema.atLeast("minimum", BigDecimal.valueOf(constraint.longNumber("value")));
            case "Max" -> schema.atMost("maximum", BigDecimal.valueOf(constraint.longNumber("value")));
            case "DecimalMin" ->
                schema.atLeast(constraint.flag("inclusive") ? "minimum" : "exclusiveMinimum", decimal(constraint));
            case "DecimalMax" ->
                schema.atMost(constraint.flag("inclusive") ? "maximum" : "exclusiveMaximum", decimal(constraint));
            case "Positive" -> schema.atLeast("exclusiveMinimum", BigDecimal.ZERO);
            case "PositiveOrZero" -> schema.atLeast("minimum", BigDecimal.ZERO);
            case "Negative" -> schema.atMost("exclusiveMaximum", BigDecimal.ZERO);
            case "NegativeOrZero" -> schema.atMost("maximum", BigDecimal.ZERO);
            case "Digits" -> digits(constraint.number("integer"), constraint.number("fraction"), schema);
            default -> {
                return false;
            }
        }
        return true;
    }

    private static BigDecimal decimal(Constraint constraint) {
        return new BigDecimal(constraint.text("value"));
    }

    private static void digits(int integer, int fraction, ValueSchema schema) {
        if (integer < MAX_DIGITS) {
            BigDecimal bound = new BigDecimal(BigInteger.TEN.pow(integer));
            schema.atMost("exclusiveMaximum", bound);
            schema.atLeast("exclusiveMinimum", bound.negate());
        }
        if (fraction < MAX_DIGITS) {
            schema.atLeast("multipleOf", new BigDecimal(BigInteger.ONE, fraction));
        }
    }
}
