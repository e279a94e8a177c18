package io.holdpoint.agui;

import com.fasterxml.jackson.annotation.JsonInclude;
import org.jspecify.annotations.Nullable;

/**
 * Execution and its limits. Part of {@link AgentCapabilities}.
 *
 * <p>JSON: {@code {"codeExecution"?:…,"sandboxed"?:…,"maxIterations"?:…,"maxExecutionTime"?:…}}. Mirrors AG-UI's {@code
 * ExecutionCapabilities}. Immutable, so thread-safe.
 *
 * @param codeExecution runs code; {@code null} if not declared
 * @param sandboxed runs it in a sandbox; {@code null} if not declared
 * @param maxIterations most model calls of a run; {@code null} if not declared
 * @param maxExecutionTime longest run in milliseconds; {@code null} if not declared
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record ExecutionCapabilities(
        @Nullable Boolean codeExecution,
        @Nullable Boolean sandboxed,
        @Nullable Integer maxIterations,
        @Nullable Integer maxExecutionTime) {}
