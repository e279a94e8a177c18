package io.holdpoint.agui;

import com.fasterxml.jackson.annotation.JsonInclude;
import org.jspecify.annotations.Nullable;

/**
 * Exposure of the reasoning. Part of {@link AgentCapabilities}.
 *
 * <p>JSON: {@code {"supported"?:…,"streaming"?:…,"encrypted"?:…}}. Mirrors AG-UI's {@code ReasoningCapabilities}.
 * Immutable, so thread-safe.
 *
 * @param supported whether it is exposed; {@code null} if not declared
 * @param streaming as a stream; {@code null} if not declared
 * @param encrypted encrypted; {@code null} if not declared
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record ReasoningCapabilities(
        @Nullable Boolean supported,
        @Nullable Boolean streaming,
        @Nullable Boolean encrypted) {}
