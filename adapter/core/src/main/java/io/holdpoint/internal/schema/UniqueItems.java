package io.holdpoint.internal.schema;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.HashMap;
import java.util.Map;

/**
 * What it takes to tell the elements of an array apart: they are put into a hash table, and values with one hash code are
 * easily made. Counted before it is done, since it is done out of sight.
 */
final class UniqueItems {

    private UniqueItems() {}

    static void count(ObjectNode schema, JsonNode value, Effort effort) {
        if (!schema.findValues("uniqueItems").isEmpty()) {
            count(value, effort);
        }
    }

    private static void count(JsonNode value, Effort effort) {
        if (value.isArray()) {
            Map<Integer, Integer> sameHash = new HashMap<>();
            int most = 0;
            for (JsonNode element : value) {
                most = Math.max(most, sameHash.merge(element.hashCode(), 1, Integer::sum));
            }
            effort.steps(most * size(value));
        }
        value.forEach(child -> count(child, effort));
    }

    private static long size(JsonNode value) {
        long size = 1 + (value.isTextual() ? value.textValue().length() : 0);
        for (JsonNode child : value) {
            size += size(child);
        }
        return size;
    }
}
