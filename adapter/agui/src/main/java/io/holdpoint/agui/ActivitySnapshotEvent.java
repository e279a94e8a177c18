package io.holdpoint.agui;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Reports structured progress that is not conversation content.
 *
 * <p>JSON: {@code {"type":"ACTIVITY_SNAPSHOT","messageId":…,"activityType":…,"content":{…},"replace"?:…}}. Mirrors
 * AG-UI's {@code ActivitySnapshotEvent}. Immutable, so thread-safe.
 *
 * @param messageId the id of the activity message
 * @param activityType what kind of activity
 * @param content its data
 * @param replace whether an earlier snapshot is replaced; {@code null} if absent
 * @param base the fields every event may carry
 */
public record ActivitySnapshotEvent(
        String messageId,
        String activityType,
        ObjectNode content,
        @Nullable Boolean replace,
        @JsonUnwrapped EventBase base)
        implements Event {

    /** Checks that the required fields are there. */
    public ActivitySnapshotEvent {
        Objects.requireNonNull(messageId, "messageId");
        Objects.requireNonNull(activityType, "activityType");
        Objects.requireNonNull(content, "content");
        Objects.requireNonNull(base, "base");
    }

    /** Without base fields. */
    public ActivitySnapshotEvent(String messageId, String activityType, ObjectNode content, @Nullable Boolean replace) {
        this(messageId, activityType, content, replace, EventBase.NONE);
    }

    @Override
    public String type() {
        return "ACTIVITY_SNAPSHOT";
    }
}
