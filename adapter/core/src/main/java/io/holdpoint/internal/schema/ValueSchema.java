package io.holdpoint.internal.schema;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.holdpoint.agui.AguiCodec;
import java.math.BigDecimal;
import java.util.List;

/** The schema of one value while its constraints are read: of two bounds the stricter one counts. Not thread-safe. */
final class ValueSchema {

    private final ObjectNode node = AguiCodec.mapper().createObjectNode();
    private boolean required;

    ObjectNode node() {
        return node;
    }

    /** Whether the value must be there, and must not be {@code null}. */
    boolean isRequired() {
        return required;
    }

    void require() {
        required = true;
    }

    boolean isEmpty() {
        return node.isEmpty() && !required;
    }

    void atLeast(String keyword, BigDecimal bound) {
        JsonNode present = node.get(keyword);
        if (present == null || present.decimalValue().compareTo(bound) < 0) {
            node.put(keyword, bound);
        }
    }

    void atMost(String keyword, BigDecimal bound) {
        JsonNode present = node.get(keyword);
        if (present == null || present.decimalValue().compareTo(bound) > 0) {
            node.put(keyword, bound);
        }
    }

    /** A schema has one pattern; further ones are schemas of their own that hold as well. */
    void pattern(String regex) {
        if (!node.has("pattern")) {
            node.put("pattern", regex);
            return;
        }
        ArrayNode others = node.get("allOf") instanceof ArrayNode present ? present : node.putArray("allOf");
        others.addObject().put("pattern", regex);
    }

    /** Says no more than that there is a value: a type of the platform may be anything in JSON. */
    void ofAnyType() {
        if (required) {
            ArrayNode types = node.putArray("type");
            List.of("string", "number", "boolean", "array", "object").forEach(types::add);
        }
    }

    /** Says what the value is, so that no other type slips past keywords that are only about this one. */
    void typed(ValueKind kind) {
        if (required) {
            node.put("type", kind.jsonType());
        } else {
            node.putArray("type").add(kind.jsonType()).add("null");
            if (node.get("enum") instanceof ArrayNode values) {
                values.addNull();
            }
        }
    }
}
