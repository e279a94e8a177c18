package io.holdpoint.agui;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Closes a run that did not fail. Run-scoped: never attributed to a subagent.
 *
 * <p>When read, an absent outcome means success; when written, the outcome is always there. A {@code result} of JSON
 * null
 * is written as such, but AG-UI's own validator refuses it: leave it absent.
 *
 * <p>JSON: {@code {"type":"RUN_FINISHED","threadId":…,"runId":…,"outcome":{…},"result"?:…,"usage"?:[…]}}. Mirrors
 * AG-UI's {@code RunFinishedEvent}. Immutable, so thread-safe.
 *
 * @param threadId the thread
 * @param runId the run
 * @param outcome why the run ended
 * @param result what the run produced; {@code null} if absent
 * @param usage tokens of this run's own model calls; empty is omitted on the wire
 * @param base the fields every event may carry
 */
public record RunFinishedEvent(
        String threadId,
        String runId,
        RunFinishedOutcome outcome,
        @Nullable JsonNode result,
        @JsonInclude(JsonInclude.Include.NON_EMPTY) List<TokenUsage> usage,
        @JsonUnwrapped EventBase base)
        implements Event {

    /**
     * Checks and copies.
     *
     * @throws IllegalArgumentException if {@code base} carries a {@code subagentRunId}
     */
    public RunFinishedEvent {
        Objects.requireNonNull(threadId, "threadId");
        Objects.requireNonNull(runId, "runId");
        Objects.requireNonNull(outcome, "outcome");
        usage = List.copyOf(usage);
        base.requireUnattributed();
    }

    /** Without base fields. */
    public RunFinishedEvent(
            String threadId,
            String runId,
            RunFinishedOutcome outcome,
            @Nullable JsonNode result,
            List<TokenUsage> usage) {
        this(threadId, runId, outcome, result, usage, EventBase.NONE);
    }

    @Override
    public String type() {
        return "RUN_FINISHED";
    }
}
