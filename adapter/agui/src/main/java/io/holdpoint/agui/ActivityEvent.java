package io.holdpoint.agui;

import com.fasterxml.jackson.annotation.JsonTypeName;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import org.jspecify.annotations.Nullable;

/** Structured progress that is not conversation content, whole or changed. */
public sealed interface ActivityEvent extends Event {

    /** The kind of activity. */
    String activityType();

    /**
     * Reports structured progress that is not conversation content. JSON:
     * {@code {"type":"ACTIVITY_SNAPSHOT","messageId":…,"activityType":…,"content":{…},"replace"?:…}}. Mirrors AG-UI's
     * {@code ActivitySnapshotEvent}.
     */
    @JsonTypeName("ACTIVITY_SNAPSHOT")
    record Snapshot(
            String messageId,
            String activityType,
            ObjectNode content,
            @Nullable Boolean replace,
            @JsonUnwrapped EventBase base)
            implements ActivityEvent {

        /** Creates the event without base fields. */
        public Snapshot(String messageId, String activityType, ObjectNode content, @Nullable Boolean replace) {
            this(messageId, activityType, content, replace, EventBase.NONE);
        }

        @Override
        public int contentLength() {
            return content.toString().length();
        }
    }

    /**
     * Changes the content of an activity message by an RFC 6902 patch. The patch is carried, not checked. JSON:
     * {@code {"type":"ACTIVITY_DELTA","messageId":…,"activityType":…,"patch":[…]}}. Mirrors AG-UI's {@code ActivityDeltaEvent}.
     */
    @JsonTypeName("ACTIVITY_DELTA")
    record Delta(
            String messageId,
            String activityType,
            ArrayNode patch,
            @JsonUnwrapped EventBase base) implements ActivityEvent {

        /** Creates the event without base fields. */
        public Delta(String messageId, String activityType, ArrayNode patch) {
            this(messageId, activityType, patch, EventBase.NONE);
        }

        @Override
        public int contentLength() {
            return patch.toString().length();
        }
    }
}
