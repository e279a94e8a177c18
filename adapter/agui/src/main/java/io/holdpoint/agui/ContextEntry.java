package io.holdpoint.agui;

import java.util.Objects;

/**
 * A named piece of information given to the agent for the run, apart from the conversation. JSON:
 * {@code {"description":…,"value":…}}. Mirrors AG-UI's {@code ContextEntry}. Immutable, so thread-safe.
 */
public record ContextEntry(String description, String value) {

    /** Checks that both are there. */
    public ContextEntry {
        Objects.requireNonNull(description, "description");
        Objects.requireNonNull(value, "value");
    }
}
