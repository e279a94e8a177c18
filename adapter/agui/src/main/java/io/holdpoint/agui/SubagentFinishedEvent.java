package io.holdpoint.agui;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import com.fasterxml.jackson.databind.JsonNode;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Ends a subagent invocation's part of this run. When read, an absent outcome means success. The id is a field of its
 * own; {@code base.subagentRunId} must be absent.
 *
 * <p>JSON: {@code {"type":"SUBAGENT_FINISHED","subagentRunId":…,"outcome":{…},"result"?:…}}. Mirrors AG-UI's {@code
 * SubagentFinishedEvent}. Immutable, so thread-safe.
 *
 * @param subagentRunId the invocation
 * @param outcome why it ended
 * @param result what it produced; {@code null} if absent
 * @param base the fields every event may carry
 */
public record SubagentFinishedEvent(
        String subagentRunId,
        SubagentFinishedOutcome outcome,
        @Nullable JsonNode result,
        @JsonUnwrapped EventBase base) implements Event {

    /**
     * Checks and copies.
     *
     * @throws IllegalArgumentException if {@code base} carries a {@code subagentRunId}
     */
    public SubagentFinishedEvent {
        Objects.requireNonNull(subagentRunId, "subagentRunId");
        Objects.requireNonNull(outcome, "outcome");
        base.requireUnattributed();
    }

    /** Without base fields. */
    public SubagentFinishedEvent(String subagentRunId, SubagentFinishedOutcome outcome, @Nullable JsonNode result) {
        this(subagentRunId, outcome, result, EventBase.NONE);
    }

    @Override
    public String type() {
        return "SUBAGENT_FINISHED";
    }
}
