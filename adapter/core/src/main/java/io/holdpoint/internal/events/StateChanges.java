package io.holdpoint.internal.events;

import com.fasterxml.jackson.core.JsonPointer;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Map;

/**
 * The changes that make of one state the next, as a JSON Patch (RFC 6902): only {@code add}, {@code remove} and {@code replace}, because clients of all kinds
 * apply them. Found in one pass: elements of a list between its equal beginning and end are compared place by place.
 */
final class StateChanges {

    private final ArrayNode patch = JsonNodeFactory.instance.arrayNode();

    private StateChanges() {}

    static ArrayNode between(JsonNode before, JsonNode next) {
        StateChanges changes = new StateChanges();
        changes.compare(JsonPointer.empty(), before, next);
        return changes.patch;
    }

    private void compare(JsonPointer path, JsonNode before, JsonNode next) {
        if (before.isObject() && next.isObject()) {
            compareFields(path, before, next);
        } else if (before.isArray() && next.isArray()) {
            compareElements(path, before, next);
        } else if (!before.equals(next)) {
            add("replace", path).set("value", next);
        }
    }

    private void compareFields(JsonPointer path, JsonNode before, JsonNode next) {
        for (Map.Entry<String, JsonNode> field : before.properties()) {
            JsonPointer at = path.appendProperty(field.getKey());
            if (next.has(field.getKey())) {
                compare(at, field.getValue(), next.get(field.getKey()));
            } else {
                add("remove", at);
            }
        }
        for (Map.Entry<String, JsonNode> field : next.properties()) {
            if (!before.has(field.getKey())) {
                add("add", path.appendProperty(field.getKey())).set("value", field.getValue());
            }
        }
    }

    private void compareElements(JsonPointer path, JsonNode before, JsonNode next) {
        int shorter = Math.min(before.size(), next.size());
        int start = 0;
        while (start < shorter && before.get(start).equals(next.get(start))) {
            start++;
        }
        int end = 0;
        while (end < shorter - start && before.get(before.size() - 1 - end).equals(next.get(next.size() - 1 - end))) {
            end++;
        }
        for (int i = start; i < shorter - end; i++) {
            compare(path.appendIndex(i), before.get(i), next.get(i));
        }
        for (int i = before.size() - end - 1; i >= shorter - end; i--) {
            add("remove", path.appendIndex(i));
        }
        for (int i = shorter - end; i < next.size() - end; i++) {
            add("add", path.appendIndex(i)).set("value", next.get(i));
        }
    }

    private ObjectNode add(String operation, JsonPointer path) {
        return patch.addObject().put("op", operation).put("path", path.toString());
    }
}
