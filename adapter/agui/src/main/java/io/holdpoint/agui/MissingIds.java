package io.holdpoint.agui;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;

/**
 * Gives ids to the messages of one input that have none, made of what they say and of how often it was said before: a
 * client that sends its conversation again sends the same ids. Not thread-safe.
 */
final class MissingIds {

    private final Map<String, Integer> said = new HashMap<>();

    /** Gives a message an id if it has none. The messages come in their order; one that is no object is left to the reader. */
    void give(JsonNode message) {
        if (message instanceof ObjectNode fields
                && (!fields.has("id") || fields.get("id").isNull())) {
            fields.remove("id");
            String json = fields.toString();
            String unique = said.merge(json, 1, Integer::sum) + json;
            fields.put("id", Agui.MADE_ID + UUID.nameUUIDFromBytes(unique.getBytes(StandardCharsets.UTF_8)));
        }
    }
}
