package io.holdpoint.agui;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import com.fasterxml.jackson.annotation.JsonSetter;
import com.fasterxml.jackson.annotation.JsonTypeName;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import com.fasterxml.jackson.annotation.Nulls;
import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The start or the end of a subagent's invocation. Its id is a field of its own; {@code base.subagentRunId} must be absent. */
public sealed interface SubagentEvent extends Event {

    /** The id of the invocation. */
    String subagentRunId();

    /**
     * Announces that a subagent invocation has begun. JSON:
     * {@code {"type":"SUBAGENT_STARTED","subagentRunId":…,"name":…,"description"?:…,"parentSubagentRunId"?:…,
     * "parentToolCallId"?:…,"parentMessageId"?:…}}. Mirrors AG-UI's {@code SubagentStartedEvent}.
     */
    @JsonTypeName("SUBAGENT_STARTED")
    record Started(
            String subagentRunId,
            String name,
            @Nullable String description,
            @Nullable String parentSubagentRunId,
            @Nullable String parentToolCallId,
            @Nullable String parentMessageId,
            @JsonUnwrapped EventBase base)
            implements SubagentEvent {

        /** Refuses a {@code base} with a {@code subagentRunId}. */
        public Started {
            base.requireUnattributed();
        }
    }

    /**
     * Ends a subagent invocation's part of this run. When read, an absent outcome means success. JSON:
     * {@code {"type":"SUBAGENT_FINISHED","subagentRunId":…,"outcome":{…},"result"?:…}}. Mirrors AG-UI's
     * {@code SubagentFinishedEvent}.
     */
    @JsonTypeName("SUBAGENT_FINISHED")
    record Finished(
            String subagentRunId,
            @JsonProperty(defaultValue = "success") Outcome outcome,
            @Nullable JsonNode result,
            @JsonUnwrapped EventBase base)
            implements SubagentEvent {

        /** Refuses a {@code base} with a {@code subagentRunId}. */
        public Finished {
            outcome = Objects.requireNonNullElseGet(outcome, Outcome.Success::new);
            base.requireUnattributed();
        }
    }

    /**
     * Reports that a subagent invocation failed; the run may continue. JSON:
     * {@code {"type":"SUBAGENT_ERROR","subagentRunId":…,"message":…,"code"?:…}}. Mirrors AG-UI's {@code SubagentErrorEvent}.
     */
    @JsonTypeName("SUBAGENT_ERROR")
    record Error(
            String subagentRunId,
            String message,
            @Nullable String code,
            @JsonUnwrapped EventBase base) implements SubagentEvent {

        /** Refuses a {@code base} with a {@code subagentRunId}. */
        public Error {
            base.requireUnattributed();
        }
    }

    /**
     * Why a subagent's part of a run ended. Mirrors AG-UI's {@code SubagentFinishedOutcome}, told apart by {@code type}.
     */
    @JsonPropertyOrder("type")
    sealed interface Outcome {

        /** The name on the wire: {@code "success"} or {@code "suspended"}. */
        @JsonProperty("type")
        default String type() {
            return AguiModule.NAMES.get(getClass());
        }

        /** The subagent completed. JSON: {@code {"type":"success"}}. */
        @JsonTypeName("success")
        record Success() implements Outcome {}

        /**
         * The subagent waits for answers. JSON: {@code {"type":"suspended","interruptIds"?:[…]}}.
         *
         * @param interruptIds the interrupts it waits for; empty is omitted on the wire
         */
        @JsonTypeName("suspended")
        record Suspended(
                @JsonInclude(JsonInclude.Include.NON_EMPTY)
                @JsonSetter(nulls = Nulls.AS_EMPTY, contentNulls = Nulls.FAIL)
                List<String> interruptIds)
                implements Outcome {

            /** Copies the list. */
            public Suspended {
                interruptIds = List.copyOf(interruptIds);
            }
        }
    }
}
