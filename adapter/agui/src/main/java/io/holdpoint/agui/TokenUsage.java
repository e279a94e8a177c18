package io.holdpoint.agui;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.databind.annotation.JsonDeserialize;
import org.jspecify.annotations.Nullable;

/**
 * Token counts of one provider and model. A count the provider did not report is absent, not zero. JSON:
 * {@code {"provider"?:…,"model"?:…,"inputTokens"?:…,"outputTokens"?:…,"totalTokens"?:…,"reasoningTokens"?:…,
 * "cachedInputTokens"?:…,"cacheWriteInputTokens"?:…}}. Mirrors AG-UI's {@code TokenUsage}. Immutable, so thread-safe.
 *
 * @param reasoningTokens the part of the output that was reasoning; {@code null} if absent
 * @param cachedInputTokens the part of the input read from a cache; {@code null} if absent
 * @param cacheWriteInputTokens the part of the input written to a cache; {@code null} if absent
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record TokenUsage(
        @Nullable String provider,
        @Nullable String model,

        @JsonDeserialize(using = AguiModule.Count.class) @Nullable
        Integer inputTokens,

        @JsonDeserialize(using = AguiModule.Count.class) @Nullable
        Integer outputTokens,

        @JsonDeserialize(using = AguiModule.Count.class) @Nullable
        Integer totalTokens,

        @JsonDeserialize(using = AguiModule.Count.class) @Nullable
        Integer reasoningTokens,

        @JsonDeserialize(using = AguiModule.Count.class) @Nullable
        Integer cachedInputTokens,

        @JsonDeserialize(using = AguiModule.Count.class) @Nullable
        Integer cacheWriteInputTokens) {}
