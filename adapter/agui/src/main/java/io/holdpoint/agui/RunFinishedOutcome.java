package io.holdpoint.agui;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import com.fasterxml.jackson.annotation.JsonSetter;
import com.fasterxml.jackson.annotation.JsonTypeName;
import com.fasterxml.jackson.annotation.Nulls;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * The reason why a run ended. Mirrors AG-UI's {@code RunFinishedOutcome}, told apart by {@code type}. Immutable, so thread-safe.
 */
@JsonPropertyOrder("type")
public sealed interface RunFinishedOutcome {

    /** The name on the wire: {@code "success"}, {@code "interrupt"} or {@code "cancelled"}. */
    @JsonProperty("type")
    default String type() {
        return AguiModule.NAMES.get(getClass());
    }

    /** Creates the outcome of a run that is done and leaves no tool call to the client. */
    static RunFinishedOutcome success() {
        return new Success(List.of());
    }

    /**
     * Creates the outcome of a run that stopped to ask.
     *
     * @throws IllegalArgumentException if the list is empty or two interrupts have the same id
     */
    static RunFinishedOutcome interrupt(List<Interrupt> interrupts) {
        return new Interrupted(interrupts);
    }

    /** Creates the outcome of a run that was stopped on purpose. */
    static RunFinishedOutcome cancelled() {
        return new Cancelled();
    }

    /**
     * The run completed. JSON: {@code {"type":"success","pendingToolCallIds"?:[…]}}.
     *
     * @param pendingToolCallIds the frontend tool calls left for the client, in order; empty is omitted on the wire
     */
    @JsonTypeName("success")
    record Success(
            @JsonInclude(JsonInclude.Include.NON_EMPTY) @JsonSetter(nulls = Nulls.AS_EMPTY, contentNulls = Nulls.FAIL)
            List<String> pendingToolCallIds)
            implements RunFinishedOutcome {

        /** Copies the list. */
        public Success {
            pendingToolCallIds = List.copyOf(pendingToolCallIds);
        }
    }

    /**
     * The run waits for answers, which arrive with a new run. JSON: {@code {"type":"interrupt","interrupts":[…]}}.
     *
     * @param interrupts what is asked: at least one, with unique ids
     */
    @JsonTypeName("interrupt")
    record Interrupted(
            @JsonSetter(contentNulls = Nulls.FAIL) List<Interrupt> interrupts) implements RunFinishedOutcome {

        /**
         * Copies the list.
         *
         * @throws IllegalArgumentException if the list is empty or two interrupts have the same id
         */
        public Interrupted {
            interrupts = List.copyOf(interrupts);
            if (interrupts.isEmpty()) {
                throw new IllegalArgumentException("interrupts: at least one is required");
            }
            Set<String> ids = new HashSet<>();
            for (Interrupt interrupt : interrupts) {
                if (!ids.add(interrupt.id())) {
                    throw new IllegalArgumentException("interrupts: the id " + interrupt.id() + " is there twice");
                }
            }
        }
    }

    /** The run was stopped on purpose before it completed. JSON: {@code {"type":"cancelled"}}. */
    @JsonTypeName("cancelled")
    record Cancelled() implements RunFinishedOutcome {}
}
