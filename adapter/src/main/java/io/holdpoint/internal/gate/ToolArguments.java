package io.holdpoint.internal.gate;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.cfg.JsonNodeFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The arguments of a tool call, read strictly: what is shown is what is hashed is what runs. Numbers keep their digits;
 * they never pass through {@code double}.
 */
public final class ToolArguments {

    private static final JsonMapper MAPPER = JsonMapper.builder()
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS, DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
            .disable(JsonNodeFeature.STRIP_TRAILING_BIGDECIMAL_ZEROES)
            .build();

    private ToolArguments() {}

    /**
     * Reads arguments as a model proposed them. Blank text means no arguments.
     *
     * @param text the proposed JSON text
     * @return the arguments, keys sorted
     * @throws MalformedArgumentsException if the text is not exactly one JSON object without repeated keys
     */
    public static ObjectNode parse(@Nullable String text) throws MalformedArgumentsException {
        if (text == null || text.isBlank()) {
            return MAPPER.createObjectNode();
        }
        try {
            if (!(MAPPER.readTree(text) instanceof ObjectNode object)) {
                throw new MalformedArgumentsException("not a JSON object");
            }
            return canonical(object);
        } catch (JsonProcessingException e) {
            throw new MalformedArgumentsException(e.getOriginalMessage());
        }
    }

    /**
     * The canonical form: keys sorted at every level, everything else as it was.
     *
     * @param object the arguments
     * @return a sorted copy
     */
    public static ObjectNode canonical(ObjectNode object) {
        return (ObjectNode) sorted(object);
    }

    /**
     * The canonical text: no white space, digits as they were.
     *
     * @param canonical arguments in canonical form
     * @return JSON text
     */
    public static String write(ObjectNode canonical) {
        try {
            return MAPPER.writeValueAsString(canonical);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("arguments cannot be written as JSON", e);
        }
    }

    /**
     * Reads and writes arguments that the gate has let pass.
     *
     * @param text the proposed JSON text
     * @return the canonical text
     * @throws IllegalStateException if the text is malformed after all
     */
    public static String canonicalText(@Nullable String text) {
        try {
            return write(parse(text));
        } catch (MalformedArgumentsException e) {
            throw new IllegalStateException("the gate let malformed arguments pass", e);
        }
    }

    /**
     * The hash shown with an interrupt and checked before execution.
     *
     * @param canonicalText the text of {@link #write}
     * @return SHA-256 of its UTF-8 bytes, in lower-case hexadecimal
     */
    public static String sha256(String canonicalText) {
        try {
            byte[] hash = MessageDigest.getInstance("SHA-256").digest(canonicalText.getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(hash);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }

    /**
     * The text for a LangChain4j {@code DefaultToolExecutor}, which reads a fraction as a {@code double}: a number that
     * would lose digits there is handed over as text, which it turns into the parameter's type exactly.
     *
     * @param canonicalText the text of {@link #write}
     * @return the same arguments
     */
    public static String forMethod(String canonicalText) {
        try {
            return write((ObjectNode) exact(MAPPER.readTree(canonicalText)));
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("stored arguments are not JSON", e);
        }
    }

    private static JsonNode exact(JsonNode node) {
        if (node instanceof ObjectNode object) {
            object.properties().forEach(entry -> entry.setValue(exact(entry.getValue())));
        } else if (node instanceof ArrayNode array) {
            for (int i = 0; i < array.size(); i++) {
                array.set(i, exact(array.get(i)));
            }
        } else if (node.isBigDecimal() && losesDigits(node.decimalValue())) {
            return TextNode.valueOf(node.decimalValue().toString());
        }
        return node;
    }

    private static boolean losesDigits(BigDecimal number) {
        double asDouble = number.doubleValue();
        return Double.isInfinite(asDouble) || new BigDecimal(Double.toString(asDouble)).compareTo(number) != 0;
    }

    private static JsonNode sorted(JsonNode node) {
        if (node instanceof ObjectNode object) {
            TreeMap<String, JsonNode> children = new TreeMap<>();
            object.properties().forEach(entry -> children.put(entry.getKey(), sorted(entry.getValue())));
            ObjectNode result = MAPPER.createObjectNode();
            result.setAll(children);
            return result;
        }
        if (node instanceof ArrayNode array) {
            ArrayNode result = MAPPER.createArrayNode();
            array.forEach(element -> result.add(sorted(element)));
            return result;
        }
        return node;
    }
}
