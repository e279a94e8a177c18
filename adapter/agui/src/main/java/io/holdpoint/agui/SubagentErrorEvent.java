package io.holdpoint.agui;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Reports that a subagent invocation failed; the run may continue. The id is a field of its own;
 * {@code base.subagentRunId} must be absent.
 *
 * <p>JSON: {@code {"type":"SUBAGENT_ERROR","subagentRunId":…,"message":…,"code"?:…}}. Mirrors AG-UI's {@code
 * SubagentErrorEvent}. Immutable, so thread-safe.
 *
 * @param subagentRunId the invocation
 * @param message what went wrong, for a person
 * @param code what went wrong, for a program; {@code null} if absent
 * @param base the fields every event may carry
 */
public record SubagentErrorEvent(
        String subagentRunId,
        String message,
        @Nullable String code,
        @JsonUnwrapped EventBase base) implements Event {

    /**
     * Checks and copies.
     *
     * @throws IllegalArgumentException if {@code base} carries a {@code subagentRunId}
     */
    public SubagentErrorEvent {
        Objects.requireNonNull(subagentRunId, "subagentRunId");
        Objects.requireNonNull(message, "message");
        base.requireUnattributed();
    }

    /** Without base fields. */
    public SubagentErrorEvent(String subagentRunId, String message, @Nullable String code) {
        this(subagentRunId, message, code, EventBase.NONE);
    }

    @Override
    public String type() {
        return "SUBAGENT_ERROR";
    }
}
