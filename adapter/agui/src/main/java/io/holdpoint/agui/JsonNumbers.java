package io.holdpoint.agui;

import com.fasterxml.jackson.databind.JsonNode;
import java.math.BigDecimal;
import java.util.Map;
import java.util.Optional;

/**
 * How large numbers in JSON may be. {@code 1e2000000000} is short as text and endless as an integer, and there are exponents
 * that a parser takes and cannot read again once they are written: nobody should have to keep such numbers. Stateless, so
 * thread-safe.
 */
public final class JsonNumbers {

    /** Most digits of a number, and most places that its point may be away from them. */
    public static final int MAX_DIGITS = 1_000;

    /** Longest path that is shown: its names are the client's. */
    private static final int MAX_PATH_LENGTH = 200;

    private JsonNumbers() {}

    /**
     * Whether a value is a number that is too large, too small or too precise to be kept.
     *
     * @param value any JSON value; what it contains is not looked at
     * @return whether it is a number with more than {@value #MAX_DIGITS} digits, or whose point is further away from them
     */
    public static boolean isExcessive(JsonNode value) {
        if (!value.isBigDecimal() && !value.isBigInteger()) {
            return false;
        }
        BigDecimal number = value.decimalValue();
        return number.precision() > MAX_DIGITS || Math.abs((long) number.scale()) > MAX_DIGITS;
    }

    /**
     * Looks for a number that {@linkplain #isExcessive is excessive}.
     *
     * @param tree any JSON, not nested deeper than recursion can go
     * @param path leads to the tree; may be empty
     * @return what is wrong, beginning with the path of the first such number; empty if there is none
     */
    public static Optional<String> violation(JsonNode tree, String path) {
        return pathTo(tree)
                .map(below -> path + below)
                .map(found -> found.startsWith(".") ? found.substring(1) : found)
                .map(found -> (found.length() <= MAX_PATH_LENGTH ? found : found.substring(0, MAX_PATH_LENGTH) + "…")
                        + ": a number must not have more than " + MAX_DIGITS
                        + " digits, nor an exponent that is larger. Send it as a string.");
    }

    private static Optional<String> pathTo(JsonNode node) {
        if (isExcessive(node)) {
            return Optional.of("");
        }
        for (Map.Entry<String, JsonNode> field : node.properties()) {
            Optional<String> below = pathTo(field.getValue());
            if (below.isPresent()) {
                return Optional.of("." + field.getKey() + below.get());
            }
        }
        for (int i = 0; node.isArray() && i < node.size(); i++) {
            Optional<String> below = pathTo(node.get(i));
            if (below.isPresent()) {
                return Optional.of("[" + i + "]" + below.get());
            }
        }
        return Optional.empty();
    }
}
