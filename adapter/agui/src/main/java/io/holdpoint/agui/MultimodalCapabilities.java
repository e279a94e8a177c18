package io.holdpoint.agui;

import com.fasterxml.jackson.annotation.JsonInclude;
import org.jspecify.annotations.Nullable;

/**
 * Media in and out. Part of {@link AgentCapabilities}.
 *
 * <p>JSON: {@code {"input"?:…,"output"?:…}}. Mirrors AG-UI's {@code MultimodalCapabilities}. Immutable, so thread-safe.
 *
 * @param input what the agent takes; {@code null} if not declared
 * @param output what the agent produces; {@code null} if not declared
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record MultimodalCapabilities(
        @Nullable Input input, @Nullable Output output) {
    /**
     * Media the agent takes. Mirrors AG-UI's {@code MultimodalInputCapabilities}.
     *
     * @param image images; {@code null} if not declared
     * @param audio recordings; {@code null} if not declared
     * @param video videos; {@code null} if not declared
     * @param pdf PDF documents; {@code null} if not declared
     * @param file other files; {@code null} if not declared
     */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record Input(
            @Nullable Boolean image,
            @Nullable Boolean audio,
            @Nullable Boolean video,
            @Nullable Boolean pdf,
            @Nullable Boolean file) {}

    /**
     * Media the agent produces. Mirrors AG-UI's {@code MultimodalOutputCapabilities}.
     *
     * @param image images; {@code null} if not declared
     * @param audio recordings; {@code null} if not declared
     */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record Output(@Nullable Boolean image, @Nullable Boolean audio) {}
}
