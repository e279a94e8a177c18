package io.holdpoint.agui;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonSetter;
import com.fasterxml.jackson.annotation.JsonTypeName;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import com.fasterxml.jackson.annotation.Nulls;
import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The start or the end of a run. Never attributed to a subagent. */
@JsonIgnoreProperties("subagentRunId") // of the base
public sealed interface RunEvent extends Event {

    /**
     * Opens a run. Run-scoped: never attributed to a subagent. JSON:
     * {@code {"type":"RUN_STARTED","threadId":…,"runId":…,"protocolVersion"?:…,"parentRunId"?:…,"input"?:{…}}}. Mirrors AG-UI's
     * {@code RunStartedEvent}.
     */
    @JsonTypeName("RUN_STARTED")
    record Started(
            String threadId,
            String runId,
            @Nullable String protocolVersion,
            @Nullable String parentRunId,
            @Nullable RunAgentInput input,
            @JsonUnwrapped EventBase base)
            implements RunEvent {

        /** Refuses a {@code base} with a {@code subagentRunId}. */
        public Started {
            base.requireUnattributed();
        }

        /** A run of this implementation: carries {@link Agui#PROTOCOL_VERSION}, no parent and no echo of the input. */
        public Started(String threadId, String runId) {
            this(threadId, runId, Agui.PROTOCOL_VERSION, null, null, EventBase.NONE);
        }
    }

    /**
     * Closes a run that did not fail. Run-scoped: never attributed to a subagent.
     *
     * <p>When read, an absent outcome means success; when written, the outcome is always there. A {@code result} of JSON
     * null is written as such, but AG-UI's own validator refuses it: leave it absent.
     *
     * <p>JSON: {@code {"type":"RUN_FINISHED","threadId":…,"runId":…,"outcome":{…},"result"?:…,"usage"?:[…]}}. Mirrors
     * AG-UI's {@code RunFinishedEvent}.
     *
     * @param usage tokens of this run's own model calls; empty is omitted on the wire
     */
    @JsonTypeName("RUN_FINISHED")
    record Finished(
            String threadId,
            String runId,
            @JsonProperty(defaultValue = "success") RunFinishedOutcome outcome,
            @Nullable JsonNode result,

            @JsonInclude(JsonInclude.Include.NON_EMPTY) @JsonSetter(nulls = Nulls.AS_EMPTY, contentNulls = Nulls.FAIL)
            List<TokenUsage> usage,

            @JsonUnwrapped EventBase base)
            implements RunEvent, Event.Terminal {

        /** Refuses a {@code base} with a {@code subagentRunId}. */
        public Finished {
            outcome = outcome == null ? RunFinishedOutcome.success() : outcome;
            usage = List.copyOf(usage);
            base.requireUnattributed();
        }

        /** Creates the event without base fields. */
        public Finished(
                String threadId,
                String runId,
                RunFinishedOutcome outcome,
                @Nullable JsonNode result,
                List<TokenUsage> usage) {
            this(threadId, runId, outcome, result, usage, EventBase.NONE);
        }
    }

    /**
     * Ends a run that failed, or refuses one before it started. Run-scoped: never attributed to a subagent. JSON:
     * {@code {"type":"RUN_ERROR","message":…,"code"?:…,"usage"?:[…]}}. Mirrors AG-UI's {@code RunErrorEvent}.
     *
     * @param usage tokens of this run's own model calls; empty is omitted on the wire
     */
    @JsonTypeName("RUN_ERROR")
    record Error(
            String message,
            @Nullable String code,

            @JsonInclude(JsonInclude.Include.NON_EMPTY) @JsonSetter(nulls = Nulls.AS_EMPTY, contentNulls = Nulls.FAIL)
            List<TokenUsage> usage,

            @JsonUnwrapped EventBase base)
            implements RunEvent, Event.Terminal {

        /** Refuses a {@code base} with a {@code subagentRunId}. */
        public Error {
            usage = List.copyOf(usage);
            base.requireUnattributed();
        }

        /** An error without token usage. */
        public Error(String message, @Nullable String code) {
            this(message, code, List.of(), EventBase.NONE);
        }
    }
}
