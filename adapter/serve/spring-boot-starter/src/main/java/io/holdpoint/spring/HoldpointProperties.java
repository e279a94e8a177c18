package io.holdpoint.spring;

import io.holdpoint.agui.Dialect;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The properties {@code holdpoint.*}. Immutable.
 *
 * @param agents Bean names of the AI Services that are agents. If there are none: those wired explicitly to tools that need
 *     approval, or else the only one that gets such tools.
 * @param store Place where threads and held calls are kept, unless the application has a Store bean; {@code jdbc} is the
 *     database of its {@code DataSource}, SQLite or PostgreSQL.
 * @param haltRole Role whose callers may halt and release the agents over HTTP; by default nobody may.
 * @param figuresRole Role whose callers may read the figures of the agents over HTTP, * for every caller; by default nobody may.
 * @param proposalRole Role whose callers may propose calls that no model made over HTTP, * for every caller; by default nobody may.
 * @param runTimeout Longest time that a run may take; zero for no limit.
 * @param shutdownGrace Time for which active runs may go on when the application stops.
 * @param path Path of the only agent, or of the primary one.
 * @param agentsPath Path below which each of several agents is served by its bean name.
 * @param hosts Names by which callers who are not authenticated may reach the server, besides its address and localhost; a page
 *     whose origin has one of the names may use the agents.
 * @param maxBodyBytes Bytes that a request's body may have.
 * @param bufferBytes Bytes that may wait for a client that does not read before its connection is broken off.
 * @param keepAlive Longest silence of a stream before a comment is written; zero for no comments.
 * @param cancelOnDisconnect Cancels a run when its client is gone.
 * @param dialect Form in which all streams are written; by default that of each client, by the protocol version of its input.
 */
@ConfigurationProperties("holdpoint")
public record HoldpointProperties(
        @DefaultValue List<String> agents,
        @DefaultValue("memory") StoreKind store,
        @Nullable String haltRole,
        @Nullable String figuresRole,
        @Nullable String proposalRole,
        @DefaultValue("1h") Duration runTimeout,
        @DefaultValue("10s") Duration shutdownGrace,
        @DefaultValue("true") boolean endpoints,
        @DefaultValue("/agent") String path,
        @DefaultValue("/agents") String agentsPath,
        @DefaultValue List<String> hosts,
        @DefaultValue("8000000") int maxBodyBytes,
        @DefaultValue("1000000") int bufferBytes,
        @DefaultValue("15s") Duration keepAlive,
        @DefaultValue("false") boolean cancelOnDisconnect,
        @Nullable Dialect dialect) {

    /** Refuses, by its name, a value that no server can work with. */
    public HoldpointProperties {
        require(!runTimeout.isNegative(), "run-timeout", "must not be negative", runTimeout);
        require(!shutdownGrace.isNegative(), "shutdown-grace", "must not be negative", shutdownGrace);
        require(!keepAlive.isNegative(), "keep-alive", "must not be negative", keepAlive);
        require(maxBodyBytes > 0, "max-body-bytes", "must be positive", maxBodyBytes);
        require(bufferBytes > 0, "buffer-bytes", "must be positive", bufferBytes);
        require(!path.endsWith("/"), "path", "must not end with a slash (empty is the root)", path);
        require(!agentsPath.endsWith("/"), "agents-path", "must not end with a slash", agentsPath);
    }

    private static void require(boolean isRight, String name, String what, Object value) {
        if (!isRight) {
            throw new IllegalArgumentException("holdpoint." + name + " " + what + ", but is " + value);
        }
    }

    /** The place where threads and held calls are kept, unless the application has a {@code Store} bean. */
    public enum StoreKind {
        /** In memory: a restart loses them. */
        MEMORY,
        /** In the database of the application's {@code DataSource}, SQLite or PostgreSQL. */
        JDBC
    }
}
