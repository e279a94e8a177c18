package io.holdpoint.agui;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Tool calling. Part of {@link AgentCapabilities}.
 *
 * <p>JSON: {@code {"supported"?:…,"items"?:…,"parallelCalls"?:…,"clientProvided"?:…}}. Mirrors AG-UI's {@code
 * ToolsCapabilities}. Immutable, so thread-safe.
 *
 * @param supported whether the agent calls tools; {@code null} if not declared
 * @param items the tools of the agent itself; {@code null} if not declared
 * @param parallelCalls several calls in one turn; {@code null} if not declared
 * @param clientProvided tools of the client; {@code null} if not declared
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record ToolsCapabilities(
        @Nullable Boolean supported,
        @Nullable List<ClientToolSpec> items,
        @Nullable Boolean parallelCalls,
        @Nullable Boolean clientProvided) {

    /** Copies the list. */
    public ToolsCapabilities {
        items = items == null ? null : List.copyOf(items);
    }
}
