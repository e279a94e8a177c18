package io.holdpoint.agui;

import com.fasterxml.jackson.annotation.JsonInclude;
import org.jspecify.annotations.Nullable;

/**
 * What a person can do. Part of {@link AgentCapabilities}.
 *
 * <p>JSON: {@code
 * {"supported"?:…,"approvals"?:…,"interventions"?:…,"feedback"?:…,"interrupts"?:…,"approveWithEdits"?:…}}. Mirrors
 * AG-UI's {@code HumanInTheLoopCapabilities}. Immutable, so thread-safe.
 *
 * @param supported whether a person can do anything; {@code null} if not declared
 * @param approvals approve or reject; {@code null} if not declared
 * @param interventions step in while it runs; {@code null} if not declared
 * @param feedback give feedback; {@code null} if not declared
 * @param interrupts answer interrupts; {@code null} if not declared
 * @param approveWithEdits approve with edited arguments; {@code null} if not declared
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record HumanInTheLoopCapabilities(
        @Nullable Boolean supported,
        @Nullable Boolean approvals,
        @Nullable Boolean interventions,
        @Nullable Boolean feedback,
        @Nullable Boolean interrupts,
        @Nullable Boolean approveWithEdits) {}
