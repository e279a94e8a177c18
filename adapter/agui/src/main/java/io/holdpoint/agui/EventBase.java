package io.holdpoint.agui;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import org.jspecify.annotations.Nullable;

/**
 * The fields any event may carry, flattened into the event on the wire. JSON:
 * {@code "timestamp"?:…,"rawEvent"?:…,"metadata"?:{…},"subagentRunId"?:…}. Mirrors AG-UI's {@code BaseEvent} and
 * {@code Attributable}. Run-scoped events and the three subagent events take no {@code subagentRunId} here. Immutable, so
 * thread-safe.
 *
 * @param timestamp milliseconds since 1970 (UTC); {@code null} if absent
 * @param rawEvent the provider's event this one was made from; {@code null} if absent
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record EventBase(
        @Nullable Long timestamp,
        @Nullable JsonNode rawEvent,
        @Nullable ObjectNode metadata,
        @Nullable String subagentRunId) {

    /** Copies the metadata, because a tree can be changed. */
    public EventBase {
        metadata = metadata == null ? null : metadata.deepCopy();
    }

    /** No base field at all. */
    public static final EventBase NONE = new EventBase(null, null, null, null);

    /** Creates base fields of metadata only. */
    public static EventBase ofMetadata(ObjectNode metadata) {
        return new EventBase(null, null, metadata, null);
    }

    /** Refuses a subagent: some events belong to none, and others name theirs in a field of their own. */
    void requireUnattributed() {
        if (subagentRunId != null) {
            throw new IllegalArgumentException("base.subagentRunId: must be absent on this event");
        }
    }
}
