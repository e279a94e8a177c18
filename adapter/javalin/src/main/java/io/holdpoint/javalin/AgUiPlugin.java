package io.holdpoint.javalin;

import io.holdpoint.Holdpoint;
import io.holdpoint.agui.Dialect;
import io.javalin.config.JavalinState;
import io.javalin.http.Handler;
import io.javalin.plugin.Plugin;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.ForkJoinPool;
import java.util.function.Consumer;

/**
 * Serves agents as AG-UI endpoints in a Javalin application:
 *
 * <pre>{@code
 * Javalin.create(config -> config.registerPlugin(new AgUiPlugin(agui -> agui.agent(agent).path("/agent"))))
 * }</pre>
 *
 * <ul>
 *   <li>{@code POST <path>} takes a {@code RunAgentInput} and answers with server-sent events
 *   <li>{@code POST <path>/cancel} takes {@code {"threadId": "..."}} and answers with {@code {"cancelled": true}}, or 404
 *   <li>{@code POST <path>/history} takes {@code {"threadId": "...", "runId": "..."}} and answers with the events of
 *       {@link Holdpoint#history}, or with {@code ?follow=true} of {@link Holdpoint#follow}
 *   <li>{@code GET <path>/interrupts} answers with the caller's open interrupts across threads ({@link Holdpoint#inbox}):
 *       {@code {"interrupts": [{"threadId", "owner", "interrupt", "askedAt", "expired"}], "next"?}}. {@code ?cursor=} is the
 *       {@code next} of the page before, {@code ?limit=} is 50 by default, and {@code ?threads=accessible} lists threads of
 *       others too
 *   <li>{@code GET <path>/capabilities} answers with {@code AgentCapabilities}
 *   <li>{@code <agentsPath>/<id>} in the place of {@code <path>} is the same for an agent that has an id
 * </ul>
 *
 * <p>A caller that the {@link Authenticator} does not know is answered with status 401, one that it sends away with 403, a
 * method that a path does not have with 405, a body that is not {@code application/json} with 415, one that is too large with
 * 413, an input that cannot be read with 400, an agent that is not served, an answer on an unknown thread and anything on a
 * thread of somebody else with 404, a thread with an active run with 409; the body is
 * {@code {"code": "...", "message": "..."}}. Everything else is a stream.
 *
 * <p>A stream keeps no thread while nothing is to be written. A client that does not read does not slow its run: what it has
 * not read is kept up to a limit, beyond which the connection is broken off. The run goes on without its client, unless
 * {@link Config#onDisconnect} says otherwise. Browsers of other origins are not let in; Javalin's own CORS plugin does that.
 */
public final class AgUiPlugin extends Plugin<AgUiPlugin.Config> {

    /** What to serve, and where. */
    public static final class Config {

        /** The largest body by default: one million bytes. */
        public static final int DEFAULT_MAX_BODY_BYTES = 1_000_000;

        /** How much may wait for a client by default: one million bytes. */
        public static final int DEFAULT_BUFFER_BYTES = 1_000_000;

        /** How long a connection is idle by default: 15 seconds. */
        public static final Duration DEFAULT_KEEP_ALIVE = Duration.ofSeconds(15);

        private Optional<Holdpoint> agent = Optional.empty();
        private final Map<String, Holdpoint> agents = new LinkedHashMap<>();
        private final Map<AgUiRoute, String> routes = new EnumMap<>(AgUiRoute.class);
        private String path = "/agent";
        private String agentsPath = "/agents";
        private Authenticator authenticator = Authenticator.NONE;
        private int maxBodyBytes = DEFAULT_MAX_BODY_BYTES;
        private Duration bodyTimeout = Duration.ofSeconds(30);
        private Dialect dialect = Dialect.V1_0;
        private int bufferBytes = DEFAULT_BUFFER_BYTES;
        private Duration keepAlive = DEFAULT_KEEP_ALIVE;
        private KeepAlive.Timer timer = KeepAlive.Timer.JDK;
        private Runnable whenDropped = () -> {};
        private DisconnectListener disconnects = DisconnectListener.NONE;

        /** Created by the plugin. */
        Config() {}

        /**
         * What to serve at {@link #path}. Required, unless there is an agent with an id.
         *
         * @param served the agent
         * @return this configuration
         */
        public Config agent(Holdpoint served) {
            agent = Optional.of(served);
            return this;
        }

        /**
         * What to serve at {@link #agentsPath} and an id. Every agent needs a store of its own, see
         * {@link io.holdpoint.HoldpointBuilder#store}.
         *
         * @param id letters, digits, dots, hyphens, underscores
         * @param served the agent
         * @return this configuration
         * @throws IllegalArgumentException if the id has other characters, or is taken
         */
        public Config agent(String id, Holdpoint served) {
            if (!id.matches("[A-Za-z0-9._-]+") || agents.putIfAbsent(id, served) != null) {
                throw new IllegalArgumentException(
                        "an agent's id has letters, digits, dots, hyphens and underscores only,"
                                + " and is given once: " + id);
            }
            return this;
        }

        /**
         * Where to serve the agent that has no id.
         *
         * @param base starts with a slash; {@code /agent} by default
         * @return this configuration
         */
        public Config path(String base) {
            path = base;
            return this;
        }

        /**
         * Where to serve the agents that have an id, each at this path, a slash and its id.
         *
         * @param base starts with a slash; {@code /agents} by default
         * @return this configuration
         */
        public Config agentsPath(String base) {
            agentsPath = base;
            return this;
        }

        /**
         * Where to serve a route of every agent.
         *
         * @param route which one
         * @param below the path below the agent's own: {@code "/run"}, or empty for the agent's own
         * @return this configuration
         */
        public Config route(AgUiRoute route, String below) {
            routes.put(route, below);
            return this;
        }

        /**
         * Who the callers are.
         *
         * @param finder finds out; {@link Authenticator#NONE} by default
         * @return this configuration
         */
        public Config authenticator(Authenticator finder) {
            authenticator = finder;
            return this;
        }

        /**
         * The most bytes that are kept of a body. A run's input may be longer, if the beginning of its messages is known
         * already: clients send the whole conversation with every input. Javalin's own {@code http.maxRequestSize} does not
         * apply.
         *
         * @param bytes {@value #DEFAULT_MAX_BODY_BYTES} by default
         * @return this configuration
         * @throws IllegalArgumentException unless it is positive
         */
        public Config maxBodyBytes(int bytes) {
            if (bytes <= 0) {
                throw new IllegalArgumentException("maxBodyBytes must be positive: " + bytes);
            }
            maxBodyBytes = bytes;
            return this;
        }

        /**
         * How long a body may take to arrive.
         *
         * @param most 30 seconds by default
         * @return this configuration
         * @throws IllegalArgumentException unless it is positive
         */
        public Config bodyTimeout(Duration most) {
            if (most.isNegative() || most.isZero()) {
                throw new IllegalArgumentException("bodyTimeout must be positive: " + most);
            }
            bodyTimeout = most;
            return this;
        }

        /**
         * The form in which streams are written. An agent may be served in several, each at its own path.
         *
         * @param spoken {@link Dialect#V1_0} by default
         * @return this configuration
         */
        public Config dialect(Dialect spoken) {
            dialect = spoken;
            return this;
        }

        /**
         * How much may wait for a client that does not read. When the next event comes and there is more, the connection is
         * broken off; a single event may be larger, and the last one of a run is taken anyway.
         *
         * @param bytes {@value #DEFAULT_BUFFER_BYTES} by default, besides what the operating system buffers
         * @return this configuration
         * @throws IllegalArgumentException unless it is positive
         */
        public Config bufferBytes(int bytes) {
            if (bytes <= 0) {
                throw new IllegalArgumentException("bufferBytes must be positive: " + bytes);
            }
            bufferBytes = bytes;
            return this;
        }

        /**
         * How long a stream may be silent: after that a comment ({@code : keep-alive}) is written, which clients ignore.
         * Should be less than the idle timeouts of the server, 30 seconds by default, and of proxies.
         *
         * @param interval {@link #DEFAULT_KEEP_ALIVE} by default; zero for no comments
         * @return this configuration
         * @throws IllegalArgumentException if it is negative
         */
        public Config keepAlive(Duration interval) {
            if (interval.isNegative()) {
                throw new IllegalArgumentException("keepAlive must not be negative: " + interval);
            }
            keepAlive = interval;
            return this;
        }

        /**
         * What happens when a client is gone before its run has ended.
         *
         * @param listener by default {@link DisconnectListener#NONE}; called on a thread of the server's pool
         * @return this configuration
         */
        public Config onDisconnect(DisconnectListener listener) {
            disconnects = listener;
            return this;
        }

        /**
         * What happens each time that a client is dropped because it does not read, see {@link #bufferBytes}; for a meter. The
         * run goes on.
         *
         * @param dropped by default nothing; called on a thread of the server's pool
         * @return this configuration
         */
        public Config onDrop(Runnable dropped) {
            whenDropped = dropped;
            return this;
        }

        /** What comments go by; for tests. */
        Config timer(KeepAlive.Timer beats) {
            timer = beats;
            return this;
        }

        private String below(String base, AgUiRoute route) {
            String joined = base.replaceFirst("/+$", "") + routes.getOrDefault(route, route.defaultPath());
            return joined.isEmpty() ? "/" : joined;
        }

        /** Where a route is, for each agent. */
        List<String> paths(AgUiRoute route) {
            List<String> paths = new ArrayList<>();
            agent.ifPresent(served -> paths.add(below(path, route)));
            if (!agents.isEmpty()) {
                paths.add(below(agentsPath + "/{" + AgUiRoutes.AGENT_ID + "}", route));
            }
            return paths;
        }
    }

    /**
     * Creates the plugin.
     *
     * @param config sets the agent, and what is not to be as by default
     */
    public AgUiPlugin(Consumer<Config> config) {
        super(config, new Config());
    }

    /** Adds the routes; called by Javalin. */
    @Override
    public void onInitialize(JavalinState state) {
        if (pluginConfig.agent.isEmpty() && pluginConfig.agents.isEmpty()) {
            throw new IllegalStateException("AgUiPlugin: set the agent, config.agent(...)");
        }
        RequestBody body = new RequestBody(pluginConfig.maxBodyBytes, pluginConfig.bodyTimeout);
        EventStreams streams = new EventStreams(
                pluginConfig.dialect,
                pluginConfig.bufferBytes,
                new KeepAlive(pluginConfig.timer, pluginConfig.keepAlive),
                pluginConfig.whenDropped,
                task -> serverThreads(state).execute(task));
        AgUiRoutes routes = new AgUiRoutes(
                pluginConfig.agent,
                Map.copyOf(pluginConfig.agents),
                pluginConfig.authenticator,
                body,
                streams,
                pluginConfig.disconnects);
        serve(state, AgUiRoute.RUN, routes.run());
        serve(state, AgUiRoute.CANCEL, routes.cancel());
        serve(state, AgUiRoute.HISTORY, routes.history());
        serve(state, AgUiRoute.INTERRUPTS, routes.interrupts());
        serve(state, AgUiRoute.CAPABILITIES, routes.capabilities());
    }

    private void serve(JavalinState state, AgUiRoute route, Handler handler) {
        pluginConfig.paths(route).forEach(path -> state.routes.addHttpHandler(route.method(), path, handler));
    }

    /** Virtual ones, if Javalin is told to use them. A servlet container of its own has no pool here. */
    private static Executor serverThreads(JavalinState state) {
        return Optional.<Executor>ofNullable(state.jetty.threadPool).orElseGet(ForkJoinPool::commonPool);
    }

    /** Answers methods that nobody serves at our paths, once it is known what others serve there; called by Javalin. */
    @Override
    public void onStart(JavalinState state) {
        for (AgUiRoute route : AgUiRoute.values()) {
            pluginConfig.paths(route).forEach(path -> state.routes.after(path, AgUiRoutes.wrongMethod(state)));
        }
    }

    /** Several agents may be served, each at its own path. */
    @Override
    public boolean repeatable() {
        return true;
    }
}
