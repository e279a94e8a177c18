package io.holdpoint.agui;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.json.JsonWriteFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectWriter;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.HexFormat;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;

/**
 * The part of an interrupt's metadata without which TanStack AI lets nobody answer it. It names the run whose
 * {@code RUN_FINISHED} it stands in, because that client compares it with the run that it asked for, and the schema's hash. It is
 * made for each event, and never read.
 */
final class TanStackBinding {

    private static final ObjectWriter TEXT = AguiCodec.mapper().writer().without(JsonWriteFeature.WRITE_HEX_UPPER_CASE);

    /** The exponents between which JavaScript writes a number without one. */
    private static final int SMALLEST = -6;

    private static final int LARGEST = 21;

    private TanStackBinding() {}

    /** Adds it to an interrupt as it is written. */
    static void addTo(ObjectNode interrupt, String runId) {
        ObjectNode binding = interrupt
                .withObjectProperty("metadata")
                .putObject("tanstack:interruptBinding")
                .put("v", 1)
                .put("kind", "generic")
                .put("interruptId", interrupt.path("id").asText())
                .put("interruptedRunId", runId)
                .put("generation", 0);
        if (interrupt.has("responseSchema")) {
            binding.put(
                    "responseSchemaHash",
                    "sha256:"
                            + HexFormat.of().formatHex(JsonValues.sha256(canonical(interrupt.get("responseSchema")))));
        }
    }

    /** The text of a value as JavaScript writes it, with the members of objects sorted. */
    static String canonical(JsonNode value) {
        if (value.isObject()) {
            Map<String, String> members = new TreeMap<>();
            value.properties().forEach(member -> members.put(member.getKey(), canonical(member.getValue())));
            return members.entrySet().stream()
                    .map(member -> text(member.getKey()) + ":" + member.getValue())
                    .collect(Collectors.joining(",", "{", "}"));
        }
        if (value.isArray()) {
            return StreamSupport.stream(value.spliterator(), false)
                    .map(TanStackBinding::canonical)
                    .collect(Collectors.joining(",", "[", "]"));
        }
        return value.isNumber() ? number(value.doubleValue()) : text(value);
    }

    private static String text(Object value) {
        try {
            return TEXT.writeValueAsString(value);
        } catch (JsonProcessingException e) {
            throw new UncheckedIOException("cannot write " + value, e);
        }
    }

    /** The fewest digits that are read as the same number; {@link Double#toString} of Java 17 may write more. */
    private static String number(double value) {
        if (value == 0 || Double.isInfinite(value)) {
            return value == 0 ? "0" : "null";
        }
        BigDecimal exact = new BigDecimal(value);
        BigDecimal shortest = exact.round(new MathContext(1));
        for (int digits = 2; shortest.doubleValue() != value; digits++) {
            shortest = exact.round(new MathContext(digits));
        }
        shortest = shortest.stripTrailingZeros();
        int exponent = shortest.precision() - shortest.scale();
        if (exponent > SMALLEST && exponent <= LARGEST) {
            return shortest.toPlainString();
        }
        BigDecimal mantissa = shortest.movePointLeft(exponent - 1);
        return mantissa.toPlainString() + (exponent > 0 ? "e+" : "e") + (exponent - 1);
    }
}
