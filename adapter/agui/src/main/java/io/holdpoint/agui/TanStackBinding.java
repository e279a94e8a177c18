package io.holdpoint.agui;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.json.JsonWriteFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectWriter;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.HexFormat;
import java.util.Map;
import java.util.TreeMap;

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

    /** The metadata of an interrupt with it. */
    static ObjectNode with(Interrupt interrupt, String runId) {
        ObjectNode all = AguiCodec.mapper().createObjectNode();
        if (interrupt.metadata() != null) {
            all.setAll(interrupt.metadata());
        }
        ObjectNode binding = all.putObject("tanstack:interruptBinding")
                .put("v", 1)
                .put("kind", "generic")
                .put("interruptId", interrupt.id())
                .put("interruptedRunId", runId)
                .put("generation", 0);
        if (interrupt.responseSchema() != null) {
            binding.put(
                    "responseSchemaHash",
                    "sha256:" + HexFormat.of().formatHex(JsonValues.sha256(canonical(interrupt.responseSchema()))));
        }
        return all;
    }

    /** The text of a value as JavaScript writes it, with the members of objects sorted. */
    static String canonical(JsonNode value) {
        StringWriter text = new StringWriter();
        try (JsonGenerator json = TEXT.createGenerator(text)) {
            write(value, json);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot write " + value, e);
        }
        return text.toString();
    }

    private static void write(JsonNode value, JsonGenerator json) throws IOException {
        if (value.isObject()) {
            Map<String, JsonNode> members = new TreeMap<>();
            value.properties().forEach(member -> members.put(member.getKey(), member.getValue()));
            json.writeStartObject();
            for (Map.Entry<String, JsonNode> member : members.entrySet()) {
                json.writeFieldName(member.getKey());
                write(member.getValue(), json);
            }
            json.writeEndObject();
        } else if (value.isArray()) {
            json.writeStartArray();
            for (JsonNode element : value) {
                write(element, json);
            }
            json.writeEndArray();
        } else if (value.isNumber()) {
            json.writeNumber(number(value.doubleValue()));
        } else {
            json.writeTree(value);
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
