package io.holdpoint.agui;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.databind.node.ObjectNode;
import org.jspecify.annotations.Nullable;

/**
 * Who the agent is, for display and discovery. Part of {@link AgentCapabilities}.
 *
 * <p>JSON: {@code
 * {"name"?:…,"type"?:…,"description"?:…,"version"?:…,"provider"?:…,"documentationUrl"?:…,"metadata"?:…}}. Mirrors
 * AG-UI's {@code IdentityCapabilities}. Immutable, so thread-safe.
 *
 * @param name the name; {@code null} if not declared
 * @param type the framework or kind of agent; {@code null} if not declared
 * @param description what it does; {@code null} if not declared
 * @param version its version; {@code null} if not declared
 * @param provider who runs it; {@code null} if not declared
 * @param documentationUrl where to read about it; {@code null} if not declared
 * @param metadata extra information, open by key; {@code null} if not declared
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record IdentityCapabilities(
        @Nullable String name,
        @Nullable String type,
        @Nullable String description,
        @Nullable String version,
        @Nullable String provider,
        @Nullable String documentationUrl,
        @Nullable ObjectNode metadata) {}
