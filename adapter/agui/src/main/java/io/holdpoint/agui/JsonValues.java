package io.holdpoint.agui;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Checks whether JSON can be stored and read again. {@code 1e2000000000} is short as text and endless as an integer, and some
 * exponents cannot be read again after they are written. Some databases change or refuse a text with a NUL or with half a
 * surrogate pair. Stateless, so thread-safe.
 */
public final class JsonValues {

    /** The most digits of a number, and the most places between them and its point. */
    public static final int MAX_DIGITS = 1_000;

    /** The longest path in a message; its names are the client's. */
    private static final int MAX_PATH_LENGTH = 200;

    private static final String TEXT_RULE = "must have no NUL and no unpaired surrogates";

    /** A digest is ready for the next text when it has given its bytes. */
    private static final ThreadLocal<MessageDigest> SHA_256 = ThreadLocal.withInitial(JsonValues::newSha256);

    private JsonValues() {}

    /**
     * Finds a part of a value by its path, such as {@code p.amount} or {@code lines.0.item}. A name with dots in it is a name where there is
     * one.
     *
     * @return the value at the end of the path; missing if there is none
     */
    public static JsonNode part(JsonNode value, String path) {
        JsonNode named = step(value, path);
        for (int dot = path.indexOf('.'); named.isMissingNode() && dot >= 0; dot = path.indexOf('.', dot + 1)) {
            JsonNode next = step(value, path.substring(0, dot));
            if (next.isContainerNode()) {
                named = part(next, path.substring(dot + 1));
            }
        }
        return named;
    }

    /** Goes one step of a path: to a member of an object, or to an element of an array. Missing if there is none. */
    public static JsonNode step(JsonNode value, String name) {
        return value.isArray()
                ? isIndex(name) ? value.path(Integer.parseInt(name)) : MissingNode.getInstance()
                : value.path(name);
    }

    /**
     * Sorts the members of objects by their names, at every level.
     *
     * @param value any JSON value, which stays as it is
     * @return a copy of an object or an array, in which arrays keep their order; any other value itself
     */
    public static JsonNode sorted(JsonNode value) {
        if (value instanceof ObjectNode object) {
            List<String> names = new ArrayList<>(object.size());
            object.fieldNames().forEachRemaining(names::add);
            Collections.sort(names);
            ObjectNode result = object.objectNode();
            for (String name : names) {
                result.set(name, sorted(object.get(name)));
            }
            return result;
        }
        if (value instanceof ArrayNode array) {
            ArrayNode result = array.arrayNode();
            array.forEach(element -> result.add(sorted(element)));
            return result;
        }
        return value;
    }

    /** Tells whether a step of a path is the place of an element. */
    public static boolean isIndex(String name) {
        return name.matches("\\d{1,6}");
    }

    /**
     * Checks whether a value is a number that is too large, too small or too precise to be stored.
     *
     * @param value any JSON value; values inside it are not checked
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
     * Checks whether a text can be stored: some databases take no NUL, and an unpaired surrogate has no form in UTF-8.
     */
    public static boolean isText(String text) {
        int length = text.length();
        for (int i = 0; i < length; i++) {
            char c = text.charAt(i);
            if (c == 0) {
                return false;
            }
            if (c >= Character.MIN_SURROGATE && c <= Character.MAX_SURROGATE) {
                boolean isPair = i + 1 < length && Character.isSurrogatePair(c, text.charAt(i + 1));
                if (!isPair) {
                    return false;
                }
                i++;
            }
        }
        return true;
    }

    /** Returns the SHA-256 of a text's UTF-8 bytes, 32 bytes. */
    public static byte[] sha256(String text) {
        return SHA_256.get().digest(text.getBytes(StandardCharsets.UTF_8));
    }

    private static MessageDigest newSha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }

    /**
     * Looks for a value that cannot be kept: a number that {@linkplain #isExcessive is excessive}, or a text or a field's
     * name that {@linkplain #isText is none}.
     *
     * @param tree any JSON, not nested deeper than recursion can go
     * @param path leads to the tree; may be empty
     * @return a sentence about the first such value, beginning with its path; empty if there is none
     */
    public static Optional<String> violation(JsonNode tree, String path) {
        Found found = search(tree);
        return found == null ? Optional.empty() : Optional.of(found.sentence(path));
    }

    /** A value that cannot be kept: its path below the tree that was searched, and the problem. */
    private record Found(String path, String problem) {

        Found below(String step) {
            return new Found(step + path, problem);
        }

        String sentence(String start) {
            String whole = start + path;
            String shown = whole.startsWith(".") ? whole.substring(1) : whole;
            if (shown.length() > MAX_PATH_LENGTH) {
                shown = shown.substring(0, MAX_PATH_LENGTH) + "…";
            }
            return (shown.isEmpty() ? "the JSON" : shown) + problem;
        }
    }

    private static @Nullable Found search(JsonNode node) {
        if (node.isTextual()) {
            return isText(node.textValue()) ? null : new Found("", ": " + TEXT_RULE);
        }
        if (node.isObject()) {
            for (Map.Entry<String, JsonNode> field : node.properties()) {
                if (!isText(field.getKey())) {
                    return new Found("", ": the name of a field " + TEXT_RULE);
                }
                Found below = search(field.getValue());
                if (below != null) {
                    return below.below("." + field.getKey());
                }
            }
        } else if (node.isArray()) {
            for (int i = 0; i < node.size(); i++) {
                Found below = search(node.get(i));
                if (below != null) {
                    return below.below("[" + i + "]");
                }
            }
        } else if (isExcessive(node)) {
            return new Found(
                    "",
                    ": a number must not have more than " + MAX_DIGITS
                            + " digits, nor an exponent that is larger. Send it as a string.");
        }
        return null;
    }
}
