package io.holdpoint.agui;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import com.fasterxml.jackson.databind.JsonNode;
import java.util.Objects;

/**
 * Replaces the agent state wholesale.
 *
 * <p>JSON: {@code {"type":"STATE_SNAPSHOT","snapshot":…}}. Mirrors AG-UI's {@code StateSnapshotEvent}. Immutable, so
 * thread-safe.
 *
 * @param snapshot the state, any JSON value
 * @param base the fields every event may carry
 */
public record StateSnapshotEvent(
        JsonNode snapshot, @JsonUnwrapped EventBase base) implements Event {

    /** Checks that the required fields are there. */
    public StateSnapshotEvent {
        Objects.requireNonNull(snapshot, "snapshot");
        Objects.requireNonNull(base, "base");
    }

    /** Without base fields. */
    public StateSnapshotEvent(JsonNode snapshot) {
        this(snapshot, EventBase.NONE);
    }

    @Override
    public String type() {
        return "STATE_SNAPSHOT";
    }
}
