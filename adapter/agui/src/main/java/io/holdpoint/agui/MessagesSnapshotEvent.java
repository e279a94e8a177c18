package io.holdpoint.agui;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonTypeName;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import java.util.List;

/**
 * The complete set of messages the producer owns, in order. Never attributed to a subagent. JSON: {@code
 * {"type":"MESSAGES_SNAPSHOT","messages":[…]}}. Mirrors AG-UI's {@code MessagesSnapshotEvent}. Immutable, so thread-safe.
 */
@JsonIgnoreProperties("subagentRunId") // of the base
@JsonTypeName("MESSAGES_SNAPSHOT")
public record MessagesSnapshotEvent(
        List<Message> messages, @JsonUnwrapped EventBase base) implements Event {

    /**
     * Checks and copies.
     *
     * @throws IllegalArgumentException if {@code base} carries a {@code subagentRunId}
     */
    public MessagesSnapshotEvent {
        messages = Message.known(messages);
        base.requireUnattributed();
    }

    /** Creates the event without base fields. */
    public MessagesSnapshotEvent(List<Message> messages) {
        this(messages, EventBase.NONE);
    }
}
