package io.holdpoint.oversight.seal;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Optional;

/**
 * A line of a sealed trail: {@code {"event"?: {...}, "n": 5, "position": 17, "previous": "<hash of line 4>", "sha256": "<of the event>"}}.
 * The hash of a line is that of all but its event, so that the event can be removed, and nothing else.
 *
 * @param position of the event in the feed
 * @param event empty if it was purged
 */
record SealedLine(long n, long position, String previous, String sha256, Optional<ObjectNode> event) {

    /** Stands in the place of the hash before the first line. */
    static final String NONE = "0".repeat(64);

    static SealedLine of(long n, long position, String previous, ObjectNode event) {
        return new SealedLine(
                n, position, previous, CanonicalJson.sha256(CanonicalJson.write(event)), Optional.of(event));
    }

    /** Reads a line without its end; empty if that is not, byte by byte, how this class writes a line. */
    static Optional<SealedLine> read(byte[] bytes) {
        try {
            JsonNode json = CanonicalJson.read(new String(bytes, StandardCharsets.UTF_8));
            SealedLine line = new SealedLine(
                    json.path("n").asLong(),
                    json.path("position").asLong(),
                    json.path("previous").asText(),
                    json.path("sha256").asText(),
                    json.get("event") instanceof ObjectNode event ? Optional.of(event) : Optional.empty());
            return Arrays.equals(line.bytes(), bytes) ? Optional.of(line) : Optional.empty();
        } catch (JsonProcessingException | RuntimeException e) { // a number that is too large for Java
            return Optional.empty();
        }
    }

    SealedLine withoutEvent() {
        return new SealedLine(n, position, previous, sha256, Optional.empty());
    }

    byte[] bytes() {
        ObjectNode json = header();
        event.ifPresent(there -> json.set("event", there));
        return CanonicalJson.write(json);
    }

    String hash() {
        return CanonicalJson.sha256(CanonicalJson.write(header()));
    }

    boolean hasItsEvent() {
        return event.isEmpty()
                || CanonicalJson.sha256(CanonicalJson.write(event.get())).equals(sha256);
    }

    private ObjectNode header() {
        return JsonNodeFactory.instance
                .objectNode()
                .put("n", n)
                .put("position", position)
                .put("previous", previous)
                .put("sha256", sha256);
    }
}
