package io.holdpoint.agui;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import com.fasterxml.jackson.databind.node.ArrayNode;
import java.util.Objects;

/**
 * Changes the agent state by an RFC 6902 patch. The patch is carried, not checked.
 *
 * <p>JSON: {@code {"type":"STATE_DELTA","delta":[…]}}. Mirrors AG-UI's {@code StateDeltaEvent}. Immutable, so
 * thread-safe.
 *
 * @param delta the patch operations
 * @param base the fields every event may carry
 */
public record StateDeltaEvent(
        ArrayNode delta, @JsonUnwrapped EventBase base) implements Event {

    /** Checks that the required fields are there. */
    public StateDeltaEvent {
        Objects.requireNonNull(delta, "delta");
        Objects.requireNonNull(base, "base");
    }

    /** Without base fields. */
    public StateDeltaEvent(ArrayNode delta) {
        this(delta, EventBase.NONE);
    }

    @Override
    public String type() {
        return "STATE_DELTA";
    }
}
