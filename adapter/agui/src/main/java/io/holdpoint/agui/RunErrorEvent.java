package io.holdpoint.agui;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Ends a run that failed, or refuses one before it started. Run-scoped: never attributed to a subagent.
 *
 * <p>JSON: {@code {"type":"RUN_ERROR","message":…,"code"?:…,"usage"?:[…]}}. Mirrors AG-UI's {@code RunErrorEvent}.
 * Immutable, so thread-safe.
 *
 * @param message what went wrong, for a person
 * @param code what went wrong, for a program; {@code null} if absent
 * @param usage tokens of this run's own model calls; empty is omitted on the wire
 * @param base the fields every event may carry
 */
public record RunErrorEvent(
        String message,
        @Nullable String code,
        @JsonInclude(JsonInclude.Include.NON_EMPTY) List<TokenUsage> usage,
        @JsonUnwrapped EventBase base)
        implements Event {

    /**
     * Checks and copies.
     *
     * @throws IllegalArgumentException if {@code base} carries a {@code subagentRunId}
     */
    public RunErrorEvent {
        Objects.requireNonNull(message, "message");
        usage = List.copyOf(usage);
        base.requireUnattributed();
    }

    /** Without base fields. */
    public RunErrorEvent(String message, @Nullable String code, List<TokenUsage> usage) {
        this(message, code, usage, EventBase.NONE);
    }

    /** An error without token usage. */
    public RunErrorEvent(String message, @Nullable String code) {
        this(message, code, List.of(), EventBase.NONE);
    }

    @Override
    public String type() {
        return "RUN_ERROR";
    }
}
