package io.holdpoint.agui;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Work with other agents. Part of {@link AgentCapabilities}.
 *
 * <p>JSON: {@code {"supported"?:…,"delegation"?:…,"handoffs"?:…,"subagents"?:…}}. Mirrors AG-UI's {@code
 * MultiAgentCapabilities}. Immutable, so thread-safe.
 *
 * @param supported whether there are any; {@code null} if not declared
 * @param delegation delegates; {@code null} if not declared
 * @param handoffs hands off; {@code null} if not declared
 * @param subagents those it can call; {@code null} if not declared
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record MultiAgentCapabilities(
        @Nullable Boolean supported,
        @Nullable Boolean delegation,
        @Nullable Boolean handoffs,
        @Nullable List<Subagent> subagents) {

    /** Copies the list. */
    public MultiAgentCapabilities {
        subagents = subagents == null ? null : List.copyOf(subagents);
    }

    /**
     * A subagent. JSON: {@code {"name":…,"description"?:…}}. Mirrors AG-UI's {@code SubagentInfo}.
     *
     * @param name the name
     * @param description what it does; {@code null} if not declared
     */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record Subagent(String name, @Nullable String description) {

        /** Checks that the name is there. */
        public Subagent {
            Objects.requireNonNull(name, "name");
        }
    }
}
