package io.holdpoint.agui;

import com.fasterxml.jackson.annotation.JsonInclude;
import org.jspecify.annotations.Nullable;

/**
 * How the agent can be reached. Part of {@link AgentCapabilities}.
 *
 * <p>JSON: {@code {"streaming"?:…,"websocket"?:…,"httpBinary"?:…,"pushNotifications"?:…,"resumable"?:…}}. Mirrors
 * AG-UI's {@code TransportCapabilities}. Immutable, so thread-safe.
 *
 * @param streaming server-sent events; {@code null} if not declared
 * @param websocket WebSocket; {@code null} if not declared
 * @param httpBinary the binary encoding; {@code null} if not declared
 * @param pushNotifications notifications of finished runs; {@code null} if not declared
 * @param resumable streams that can be picked up again; {@code null} if not declared
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record TransportCapabilities(
        @Nullable Boolean streaming,
        @Nullable Boolean websocket,
        @Nullable Boolean httpBinary,
        @Nullable Boolean pushNotifications,
        @Nullable Boolean resumable) {}
