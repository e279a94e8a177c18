package io.holdpoint.internal.events;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Map;
import java.util.Optional;

/**
 * Tells whether the difference of two trees is found soon. Two arrays are compared element by element, each with each in the
 * worst case, apart from what they begin and end with alike.
 */
final class PatchEffort {

    /** Most comparisons of elements, a fraction of a second. */
    private static final long MOST = 1_000_000;

    private long left = MOST;

    private PatchEffort() {}

    static boolean isBearable(JsonNode before, JsonNode next) {
        PatchEffort effort = new PatchEffort();
        effort.compare(before, next);
        return effort.left >= 0;
    }

    private void compare(JsonNode before, JsonNode next) {
        if (left < 0) {
            return;
        }
        left--;
        if (before.isObject() && next.isObject()) {
            for (Map.Entry<String, JsonNode> field : before.properties()) {
                Optional.ofNullable(next.get(field.getKey())).ifPresent(other -> compare(field.getValue(), other));
            }
        } else if (before.isArray() && next.isArray()) {
            compareElements(before, next);
        }
    }

    /** Elements at the same place may be compared on their own, whatever was found alike. */
    private void compareElements(JsonNode before, JsonNode next) {
        int shorter = Math.min(before.size(), next.size());
        int start = 0;
        while (start < shorter && before.get(start).equals(next.get(start))) {
            start++;
        }
        int end = 0;
        while (end < shorter - start && before.get(before.size() - 1 - end).equals(next.get(next.size() - 1 - end))) {
            end++;
        }
        left -= (long) (before.size() - start - end) * (next.size() - start - end);
        for (int i = start; i < shorter - end; i++) {
            compare(before.get(i), next.get(i));
        }
    }
}
