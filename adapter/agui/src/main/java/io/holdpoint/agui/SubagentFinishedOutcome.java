package io.holdpoint.agui;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import java.util.List;

/**
 * Why a subagent's part of a run ended. Mirrors AG-UI's {@code SubagentFinishedOutcome}, told apart by {@code type}.
 * Immutable, so thread-safe.
 */
@JsonPropertyOrder("type")
public sealed interface SubagentFinishedOutcome {

    /** The name on the wire: {@code "success"} or {@code "suspended"}. */
    @JsonProperty("type")
    String type();

    /** The subagent completed. JSON: {@code {"type":"success"}}. */
    record Success() implements SubagentFinishedOutcome {

        @Override
        public String type() {
            return "success";
        }
    }

    /**
     * The subagent waits for answers. JSON: {@code {"type":"suspended","interruptIds"?:[…]}}.
     *
     * @param interruptIds the interrupts it waits for; empty is omitted on the wire
     */
    record Suspended(
            @JsonInclude(JsonInclude.Include.NON_EMPTY) List<String> interruptIds) implements SubagentFinishedOutcome {

        /** Copies the list. */
        public Suspended {
            interruptIds = List.copyOf(interruptIds);
        }

        @Override
        public String type() {
            return "suspended";
        }
    }
}
