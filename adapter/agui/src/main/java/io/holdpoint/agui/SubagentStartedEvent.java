package io.holdpoint.agui;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Announces that a subagent invocation has begun. Its id is a field of its own; {@code base.subagentRunId} must be
 * absent.
 *
 * <p>JSON: {@code
 * {"type":"SUBAGENT_STARTED","subagentRunId":…,"name":…,"description"?:…,"parentSubagentRunId"?:…,
 * "parentToolCallId"?:…,"parentMessageId"?:…}}.
 * Mirrors AG-UI's {@code SubagentStartedEvent}. Immutable, so thread-safe.
 *
 * @param subagentRunId the invocation
 * @param name the name of the subagent
 * @param description what it does; {@code null} if absent
 * @param parentSubagentRunId the enclosing invocation; {@code null} if absent
 * @param parentToolCallId the tool call that started it; {@code null} if absent
 * @param parentMessageId the message that started it; {@code null} if absent
 * @param base the fields every event may carry
 */
public record SubagentStartedEvent(
        String subagentRunId,
        String name,
        @Nullable String description,
        @Nullable String parentSubagentRunId,
        @Nullable String parentToolCallId,
        @Nullable String parentMessageId,
        @JsonUnwrapped EventBase base)
        implements Event {

    /**
     * Checks and copies.
     *
     * @throws IllegalArgumentException if {@code base} carries a {@code subagentRunId}
     */
    public SubagentStartedEvent {
        Objects.requireNonNull(subagentRunId, "subagentRunId");
        Objects.requireNonNull(name, "name");
        base.requireUnattributed();
    }

    /** Without base fields. */
    public SubagentStartedEvent(
            String subagentRunId,
            String name,
            @Nullable String description,
            @Nullable String parentSubagentRunId,
            @Nullable String parentToolCallId,
            @Nullable String parentMessageId) {
        this(subagentRunId, name, description, parentSubagentRunId, parentToolCallId, parentMessageId, EventBase.NONE);
    }

    @Override
    public String type() {
        return "SUBAGENT_STARTED";
    }
}
