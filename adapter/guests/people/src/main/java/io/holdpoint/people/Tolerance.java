package io.holdpoint.people;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.math.BigDecimal;
import java.util.Objects;

/**
 * The difference between two numbers up to which a person need not be asked again. Immutable.
 *
 * @param most how much, not negative
 * @param percent whether it is a part of the number that was shown, in hundredths
 */
public record Tolerance(BigDecimal most, boolean percent) {

    public Tolerance {
        if (Objects.requireNonNull(most, "the tolerance is null").signum() < 0) {
            throw new IllegalArgumentException("the tolerance " + most + " must not be negative");
        }
    }

    /** Allows a difference of this many hundredths of the number that was shown. */
    public static Tolerance percent(double hundredths) {
        return new Tolerance(BigDecimal.valueOf(hundredths), true);
    }

    /** Allows a difference of this much. */
    public static Tolerance of(double most) {
        return new Tolerance(BigDecimal.valueOf(most), false);
    }

    ObjectNode written() {
        return JsonNodeFactory.instance.objectNode().put(percent ? "percent" : "most", most);
    }

    /** Checks whether a number is within what was written of the tolerance for the one that was shown. */
    static boolean allows(JsonNode written, JsonNode was, JsonNode is) {
        if (!written.isObject() || !was.isNumber() || !is.isNumber()) {
            return false;
        }
        BigDecimal shown = was.decimalValue();
        BigDecimal most = written.has("percent")
                ? shown.abs().multiply(written.path("percent").decimalValue()).movePointLeft(2)
                : written.path("most").decimalValue();
        return is.decimalValue().subtract(shown).abs().compareTo(most) <= 0;
    }
}
