package io.holdpoint.agui;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Opens a run. Run-scoped: never attributed to a subagent.
 *
 * <p>JSON: {@code {"type":"RUN_STARTED","threadId":…,"runId":…,"protocolVersion"?:…,"parentRunId"?:…,"input"?:{…}}}.
 * Mirrors AG-UI's {@code RunStartedEvent}. Immutable, so thread-safe.
 *
 * @param threadId the thread
 * @param runId the run
 * @param protocolVersion the version the agent speaks; {@code null} if absent
 * @param parentRunId the run this one continues from; {@code null} if absent
 * @param input the input, echoed; {@code null} if absent
 * @param base the fields every event may carry
 */
public record RunStartedEvent(
        String threadId,
        String runId,
        @Nullable String protocolVersion,
        @Nullable String parentRunId,
        @Nullable RunAgentInput input,
        @JsonUnwrapped EventBase base)
        implements Event {

    /**
     * Checks and copies.
     *
     * @throws IllegalArgumentException if {@code base} carries a {@code subagentRunId}
     */
    public RunStartedEvent {
        Objects.requireNonNull(threadId, "threadId");
        Objects.requireNonNull(runId, "runId");
        base.requireUnattributed();
    }

    /** Without base fields. */
    public RunStartedEvent(
            String threadId,
            String runId,
            @Nullable String protocolVersion,
            @Nullable String parentRunId,
            @Nullable RunAgentInput input) {
        this(threadId, runId, protocolVersion, parentRunId, input, EventBase.NONE);
    }

    /** A run of this implementation: carries {@link Agui#PROTOCOL_VERSION}, no parent and no echo of the input. */
    public RunStartedEvent(String threadId, String runId) {
        this(threadId, runId, Agui.PROTOCOL_VERSION, null, null, EventBase.NONE);
    }

    @Override
    public String type() {
        return "RUN_STARTED";
    }
}
