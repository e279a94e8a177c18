package io.holdpoint.agui;

import com.fasterxml.jackson.annotation.JsonInclude;
import org.jspecify.annotations.Nullable;

/**
 * Shared state and memory. Part of {@link AgentCapabilities}.
 *
 * <p>JSON: {@code {"snapshots"?:…,"deltas"?:…,"memory"?:…,"persistentState"?:…}}. Mirrors AG-UI's {@code
 * StateCapabilities}. Immutable, so thread-safe.
 *
 * @param snapshots sends state snapshots; {@code null} if not declared
 * @param deltas sends state deltas; {@code null} if not declared
 * @param memory remembers across runs; {@code null} if not declared
 * @param persistentState keeps state across runs; {@code null} if not declared
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record StateCapabilities(
        @Nullable Boolean snapshots,
        @Nullable Boolean deltas,
        @Nullable Boolean memory,
        @Nullable Boolean persistentState) {}
