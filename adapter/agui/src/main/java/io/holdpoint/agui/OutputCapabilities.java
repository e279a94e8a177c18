package io.holdpoint.agui;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Forms of output. Part of {@link AgentCapabilities}.
 *
 * <p>JSON: {@code {"structuredOutput"?:…,"supportedMimeTypes"?:…}}. Mirrors AG-UI's {@code OutputCapabilities}.
 * Immutable, so thread-safe.
 *
 * @param structuredOutput output that follows a JSON Schema; {@code null} if not declared
 * @param supportedMimeTypes media types of the output; {@code null} if not declared
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record OutputCapabilities(
        @Nullable Boolean structuredOutput, @Nullable List<String> supportedMimeTypes) {

    /** Copies the list. */
    public OutputCapabilities {
        supportedMimeTypes = supportedMimeTypes == null ? null : List.copyOf(supportedMimeTypes);
    }
}
