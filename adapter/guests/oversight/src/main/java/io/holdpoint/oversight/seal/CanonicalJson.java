package io.holdpoint.oversight.seal;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.cfg.JsonNodeFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * JSON as RFC 8785 writes it, but for numbers: they keep the digits that they have in the trail, because they never pass through {@code
 * double}, and an integer is as in the RFC up to 2^53. Half a surrogate pair, which the RFC refuses, is escaped.
 */
final class CanonicalJson {

    private static final JsonMapper MAPPER = JsonMapper.builder(JsonFactory.builder()
                    .streamReadConstraints(StreamReadConstraints.builder()
                            .maxNumberLength(Integer.MAX_VALUE)
                            .maxNameLength(Integer.MAX_VALUE)
                            .maxStringLength(Integer.MAX_VALUE)
                            .build())
                    .build())
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS, DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
            .disable(JsonNodeFeature.STRIP_TRAILING_BIGDECIMAL_ZEROES)
            .build();

    private static final Pattern ESCAPE = Pattern.compile("\\\\(?:u(d[89a-f][0-9a-f]{2})|.)");

    private CanonicalJson() {}

    /** Reads a value; Jackson's parser refuses an escaped half of a surrogate pair in a name, and takes one that is not escaped. */
    static JsonNode read(String json) throws JsonProcessingException {
        String text = !json.contains("\\ud")
                ? json
                : ESCAPE.matcher(json)
                        .replaceAll(escape -> Matcher.quoteReplacement(
                                escape.group(1) == null
                                        ? escape.group()
                                        : String.valueOf((char) HexFormat.fromHexDigits(escape.group(1)))));
        return MAPPER.readTree(text);
    }

    static byte[] write(JsonNode value) {
        StringBuilder out = new StringBuilder();
        write(value, out);
        return out.toString().getBytes(StandardCharsets.UTF_8);
    }

    private static void write(JsonNode value, StringBuilder out) {
        if (value.isObject()) {
            List<String> names = new ArrayList<>();
            value.fieldNames().forEachRemaining(names::add);
            Collections.sort(names); // by UTF-16 units, as the RFC says
            String separator = "{";
            for (String name : names) {
                quote(name, out.append(separator));
                write(value.get(name), out.append(':'));
                separator = ",";
            }
            out.append(names.isEmpty() ? "{}" : "}");
        } else if (value.isArray()) {
            String separator = "[";
            for (JsonNode element : value) {
                write(element, out.append(separator));
                separator = ",";
            }
            out.append(value.isEmpty() ? "[]" : "]");
        } else if (value.isTextual()) {
            quote(value.textValue(), out);
        } else {
            out.append(value.asText());
        }
    }

    private static void quote(String text, StringBuilder out) {
        out.append('"');
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            boolean isPair = Character.isHighSurrogate(c)
                    && i + 1 < text.length()
                    && Character.isLowSurrogate(text.charAt(i + 1));
            int known = "\"\\\b\t\n\f\r".indexOf(c);
            if (known >= 0) {
                out.append('\\').append("\"\\btnfr".charAt(known));
            } else if (isPair) {
                out.append(c).append(text.charAt(++i));
            } else if (c < ' ' || Character.isSurrogate(c)) {
                out.append("\\u").append(HexFormat.of().toHexDigits(c));
            } else {
                out.append(c);
            }
        }
        out.append('"');
    }

    static String sha256(byte[] bytes) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JVM has SHA-256", e);
        }
    }
}
