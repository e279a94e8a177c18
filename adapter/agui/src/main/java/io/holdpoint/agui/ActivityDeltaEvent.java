package io.holdpoint.agui;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import com.fasterxml.jackson.databind.node.ArrayNode;
import java.util.Objects;

/**
 * Changes the content of an activity message by an RFC 6902 patch. The patch is carried, not checked.
 *
 * <p>JSON: {@code {"type":"ACTIVITY_DELTA","messageId":…,"activityType":…,"patch":[…]}}. Mirrors AG-UI's {@code
 * ActivityDeltaEvent}. Immutable, so thread-safe.
 *
 * @param messageId the id of the activity message
 * @param activityType what kind of activity
 * @param patch the patch operations
 * @param base the fields every event may carry
 */
public record ActivityDeltaEvent(
        String messageId,
        String activityType,
        ArrayNode patch,
        @JsonUnwrapped EventBase base) implements Event {

    /** Checks that the required fields are there. */
    public ActivityDeltaEvent {
        Objects.requireNonNull(messageId, "messageId");
        Objects.requireNonNull(activityType, "activityType");
        Objects.requireNonNull(patch, "patch");
        Objects.requireNonNull(base, "base");
    }

    /** Without base fields. */
    public ActivityDeltaEvent(String messageId, String activityType, ArrayNode patch) {
        this(messageId, activityType, patch, EventBase.NONE);
    }

    @Override
    public String type() {
        return "ACTIVITY_DELTA";
    }
}
