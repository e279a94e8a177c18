package io.holdpoint.internal.gate;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.core.json.JsonReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectReader;
import com.fasterxml.jackson.databind.cfg.JsonNodeFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.holdpoint.agui.JsonValues;
import java.util.HexFormat;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Reads and writes the arguments of a tool call strictly: the shown arguments are the hashed ones and the ones that run.
 * Numbers keep their digits; they never pass through {@code double}.
 */
public final class ToolArguments {

    /** Deepest nesting of arguments; the record stored around them must stay readable too. */
    static final int MAX_DEPTH = 100;

    private static final JsonMapper MAPPER = JsonMapper.builder(JsonFactory.builder()
                    .streamReadConstraints(StreamReadConstraints.builder()
                            .maxNestingDepth(MAX_DEPTH)
                            .maxNumberLength(JsonValues.MAX_DIGITS)
                            .build())
                    .build())
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS, DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
            .disable(JsonNodeFeature.STRIP_TRAILING_BIGDECIMAL_ZEROES)
            .build();

    /** For what Java's types write: they may have values that JSON has not, and a discriminator twice. */
    private static final ObjectReader OF_JAVA = MAPPER.rebuild()
            .disable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .build()
            .readerFor(JsonNode.class)
            .with(JsonReadFeature.ALLOW_NON_NUMERIC_NUMBERS);

    private ToolArguments() {}

    /** Arguments that are not exactly one JSON object without repeated keys; the message says why. */
    public static final class MalformedException extends Exception {

        private static final long serialVersionUID = 1L;

        private MalformedException(String message) {
            super(message);
        }
    }

    /** Reads arguments as a model proposed them, into canonical form. A blank text means no arguments. */
    public static ObjectNode parse(@Nullable String text) throws MalformedException {
        if (text == null || text.isBlank()) {
            return MAPPER.createObjectNode();
        }
        try {
            if (!(MAPPER.readTree(text) instanceof ObjectNode object)) {
                throw new MalformedException("not a JSON object");
            }
            requireModest(object);
            return canonical(object);
        } catch (JsonProcessingException e) {
            throw new MalformedException(e.getOriginalMessage());
        } catch (NumberFormatException e) { // the text is JSON all the same
            throw new MalformedException("the exponent of a number is out of range");
        }
    }

    /** Tells whether a text is one JSON object, whatever is in it. */
    public static boolean isObject(String text) {
        try {
            return MAPPER.readTree(text) instanceof ObjectNode;
        } catch (JsonProcessingException e) {
            return false;
        } catch (NumberFormatException e) { // the text is JSON all the same
            return true;
        }
    }

    /** The canonical form: sorted keys at every level, otherwise unchanged. The same object if its keys are sorted. */
    public static ObjectNode canonical(ObjectNode object) {
        return isSorted(object) ? object : (ObjectNode) JsonValues.sorted(object);
    }

    /** The canonical text of arguments in canonical form: no white space, digits unchanged. */
    public static String write(ObjectNode canonical) {
        return text(canonical);
    }

    /** The hash shown with an interrupt and checked before execution: SHA-256 of the UTF-8 bytes, in hexadecimal. */
    public static String sha256(String canonicalText) {
        return HexFormat.of().formatHex(JsonValues.sha256(canonicalText));
    }

    /**
     * Refuses costly values: deep nesting, and numbers such as {@code 1e200000000}, which are short as text and endless as an
     * integer. Refuses half a surrogate pair too, which no two systems keep alike.
     */
    public static void requireModest(JsonNode node) throws MalformedException {
        requireModest(node, 1);
    }

    private static void requireModest(JsonNode node, int depth) throws MalformedException {
        if (depth > MAX_DEPTH && node.isContainerNode()) {
            throw new MalformedException("nested deeper than " + MAX_DEPTH + " levels");
        }
        if (node.isNumber() && JsonValues.isExcessive(node)) {
            throw new MalformedException("a number has more than " + JsonValues.MAX_DIGITS + " digits");
        }
        if (node.isTextual()) {
            requireWhole(node.textValue());
        }
        for (Map.Entry<String, JsonNode> child : node.properties()) {
            requireWhole(child.getKey());
        }
        for (JsonNode child : node) {
            requireModest(child, depth + 1);
        }
    }

    /** Half a surrogate pair becomes something else in UTF-8: in the hash, in a database, on the screen. */
    private static void requireWhole(String text) throws MalformedException {
        for (int i = 0; i < text.length(); i += Character.charCount(text.codePointAt(i))) {
            int codePoint = text.codePointAt(i);
            if (codePoint >= Character.MIN_SURROGATE && codePoint <= Character.MAX_SURROGATE) {
                throw new MalformedException("a text has half a surrogate pair");
            }
        }
    }

    /** A value as JSON; numbers with the digits that they were written with. */
    static String text(JsonNode value) {
        try {
            return MAPPER.writeValueAsString(value);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("a value cannot be written as JSON", e);
        }
    }

    /** Reads arguments as a model proposed them; a text that is not one JSON object stays one. */
    public static JsonNode parsedOrText(@Nullable String text) {
        try {
            return parse(text);
        } catch (MalformedException e) {
            return TextNode.valueOf(text);
        }
    }

    /** Reads stored arguments, written by {@link #write}. */
    public static ObjectNode read(String canonicalText) {
        try {
            return (ObjectNode) MAPPER.readTree(canonicalText);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("stored arguments are not JSON", e);
        }
    }

    public static JsonNode readValue(String json) throws JsonProcessingException {
        return MAPPER.readTree(json);
    }

    /**
     * Reads what a Java type has written; a number may be {@code NaN} or infinite. Of a field that is written twice, as a discriminator
     * that is a component as well, the component counts, which comes last.
     */
    static JsonNode readOfJava(String json) throws JsonProcessingException {
        return OF_JAVA.readValue(json);
    }

    /** A value as Java's own types, with all digits of its numbers. */
    static Object exact(JsonNode value) {
        return MAPPER.convertValue(value, Object.class);
    }

    /** The number that a text is: JSON's, with nothing around it, and of a sensible size; missing if it is none. */
    static JsonNode number(String text) {
        try {
            JsonNode read = MAPPER.readTree(text);
            boolean is = read.isNumber() && text.equals(text.strip()) && !JsonValues.isExcessive(read);
            return is ? read : MissingNode.getInstance();
        } catch (JsonProcessingException | NumberFormatException e) {
            return MissingNode.getInstance();
        }
    }

    /** The path of a field, as JSON pointers have it. */
    static String step(String path, String name) {
        return path + "/" + name.replace("~", "~0").replace("/", "~1");
    }

    private static boolean isSorted(JsonNode node) {
        String last = "";
        for (Map.Entry<String, JsonNode> child : node.properties()) {
            if (last.compareTo(child.getKey()) > 0) {
                return false;
            }
            last = child.getKey();
        }
        for (JsonNode child : node) {
            if (!isSorted(child)) {
                return false;
            }
        }
        return true;
    }
}
