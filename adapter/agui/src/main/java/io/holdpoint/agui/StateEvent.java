package io.holdpoint.agui;

import com.fasterxml.jackson.annotation.JsonTypeName;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;

/** The state that agent and client share, whole or changed. */
public sealed interface StateEvent extends Event {

    /**
     * Replaces the agent state wholesale. JSON: {@code {"type":"STATE_SNAPSHOT","snapshot":…}}. Mirrors AG-UI's
     * {@code StateSnapshotEvent}.
     */
    @JsonTypeName("STATE_SNAPSHOT")
    record Snapshot(JsonNode snapshot, @JsonUnwrapped EventBase base) implements StateEvent {

        /** Creates the event without base fields. */
        public Snapshot(JsonNode snapshot) {
            this(snapshot, EventBase.NONE);
        }

        @Override
        public int contentLength() {
            return snapshot.isObject() && snapshot.isEmpty()
                    ? 2
                    : snapshot.toString().length();
        }
    }

    /**
     * Changes the agent state by an RFC 6902 patch. The patch is carried, not checked. JSON:
     * {@code {"type":"STATE_DELTA","delta":[…]}}. Mirrors AG-UI's {@code StateDeltaEvent}.
     */
    @JsonTypeName("STATE_DELTA")
    record Delta(ArrayNode delta, @JsonUnwrapped EventBase base) implements StateEvent {

        /** Creates the event without base fields. */
        public Delta(ArrayNode delta) {
            this(delta, EventBase.NONE);
        }

        @Override
        public int contentLength() {
            return delta.toString().length();
        }
    }
}
