package io.holdpoint.javalin;

import io.holdpoint.ErrorCode;
import io.holdpoint.Holdpoint;
import io.holdpoint.agui.Dialect;
import io.holdpoint.agui.SiteGuard;
import io.holdpoint.internal.servlet.AgUiEndpoints;
import io.holdpoint.internal.servlet.Exchange;
import io.holdpoint.internal.servlet.KeepAlive;
import io.holdpoint.internal.servlet.OpenServer;
import io.holdpoint.internal.servlet.Pace;
import io.holdpoint.internal.servlet.Refusal;
import io.holdpoint.internal.servlet.RequestBodies;
import io.holdpoint.internal.servlet.SseStreams;
import io.javalin.config.JavalinState;
import io.javalin.http.ContentType;
import io.javalin.http.Context;
import io.javalin.http.Handler;
import io.javalin.http.HandlerType;
import io.javalin.http.Header;
import io.javalin.http.HttpStatus;
import io.javalin.http.util.MethodNotAllowedUtil;
import io.javalin.plugin.Plugin;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Executor;
import java.util.concurrent.ForkJoinPool;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.eclipse.jetty.server.ConnectionFactory;
import org.eclipse.jetty.server.Connector;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.util.component.LifeCycle;

/**
 * Serves agents as AG-UI endpoints in a Javalin application:
 *
 * <pre>{@code
 * Javalin.create(config -> config.registerPlugin(new AgUiPlugin(agui -> agui.agent(agent).path("/agent"))))
 * }</pre>
 *
 * <p>Every agent answers the requests of {@link AgUiRoute}: the one without an id at {@link Config#path}, each other one at
 * {@link Config#agentsPath}, a slash and its id.
 *
 * <p>A request that is refused is answered with the body {@code {"code": "...", "message": "..."}}, and the status of its {@link ErrorCode}.
 *
 * <p>A silent stream keeps no thread. A client that does not read does not slow its run: events that it has not read wait up to
 * a limit, beyond which the connection is broken off. The run goes on without its client, unless {@link Config#onDisconnect}
 * says otherwise. No thread waits for a body. Browsers of other origins are refused; Javalin's own CORS plugin can admit them.
 */
public final class AgUiPlugin extends Plugin<AgUiPlugin.Config> {

    /**
     * The connections that wait to be accepted, unless the application says so: of a burst, those that do not fit into Java's 50
     * begin again after a second.
     */
    private static final int WAITING_CONNECTIONS = 1_024;

    /** The settings of the plugin. */
    public static final class Config {

        /** The default of {@link #maxBodyBytes}: eight million bytes. */
        public static final int DEFAULT_MAX_BODY_BYTES = 8_000_000;

        /** The default of {@link #bufferBytes}: one million bytes. */
        public static final int DEFAULT_BUFFER_BYTES = 1_000_000;

        /** The default of {@link #keepAlive}: 15 seconds. */
        public static final Duration DEFAULT_KEEP_ALIVE = Duration.ofSeconds(15);

        private static final Duration NOTICED_WITHIN = Duration.ofSeconds(1);

        /** By their ids; the one without is at the empty text. */
        private final Map<String, Holdpoint> agents = new HashMap<>();

        private Optional<String> haltRole = Optional.empty();
        private Optional<String> figuresRole = Optional.empty();
        private Optional<String> proposalRole = Optional.empty();
        private final Map<AgUiRoute, String> routes = new EnumMap<>(AgUiRoute.class);
        private String path = "/agent";
        private String agentsPath = "/agents";
        private final EnumSet<AgUiRoute> left = EnumSet.noneOf(AgUiRoute.class);
        private final Set<String> hosts = new TreeSet<>();
        private Authenticator authenticator = Authenticator.NONE;
        private int maxBodyBytes = DEFAULT_MAX_BODY_BYTES;
        private Duration bodyTimeout = Duration.ofSeconds(30);
        private Optional<Dialect> dialect = Optional.empty();
        private int bufferBytes = DEFAULT_BUFFER_BYTES;
        private Duration keepAlive = DEFAULT_KEEP_ALIVE;
        private KeepAlive.Timer timer = KeepAlive.Timer.JDK;
        private Runnable whenDropped = () -> {};
        private DisconnectListener disconnects = DisconnectListener.NONE;

        /** Created by the plugin. */
        Config() {}

        /** Serves an agent at {@link #path}. Required, unless there is an agent with an id. */
        public Config agent(Holdpoint served) {
            agents.put("", served);
            return this;
        }

        /**
         * Serves an agent at {@link #agentsPath}, a slash and its id. Agents that share a store have different names, see
         * {@link io.holdpoint.HoldpointBuilder#name}.
         *
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

        /** Sets the path of the agent that has no id, which starts with a slash; {@code /agent} by default. */
        public Config path(String base) {
            path = base;
            return this;
        }

        /** Sets the path of the agents that have an id, each at this path, a slash and its id; {@code /agents} by default. */
        public Config agentsPath(String base) {
            agentsPath = base;
            return this;
        }

        /**
         * Sets the path of a route of every agent, below the agent's own: {@code "/run"}, or empty for the agent's own.
         *
         * @throws IllegalArgumentException if it is neither empty nor begins with a slash
         */
        public Config route(AgUiRoute route, String below) {
            if (!below.isEmpty() && !below.startsWith("/")) {
                throw new IllegalArgumentException("route(" + route + ", \"" + below
                        + "\"): must be empty, or begin with a slash, such as \"/" + below + "\"");
            }
            routes.put(route, below);
            return this;
        }

        /** Leaves routes out, whose paths are answered with status 404 then; none by default. */
        public Config without(AgUiRoute... switchedOff) {
            left.addAll(Arrays.asList(switchedOff));
            return this;
        }

        /**
         * Adds names under which the server is reached, by a proxy, a container's name, or in a network. Without an
         * {@link #authenticator} requests for other names are refused with status 403, so that no web page reaches the agent by
         * a name of its own; the address that the server listens at and the loopback are always taken. A page whose origin has
         * one of the names may use the agent.
         *
         * @param names like {@code "app.example"} for any port, or {@code "localhost:5173"}; {@code "*"} for every name
         */
        public Config hosts(String... names) {
            hosts.addAll(Arrays.asList(names));
            return this;
        }

        /** Sets the role whose callers may halt and release the agents, see {@link AgUiRoute#HALT}; by default nobody may. */
        public Config haltRole(String role) {
            haltRole = Optional.of(role);
            return this;
        }

        /**
         * Sets the role whose callers may read the agents' figures, see {@link AgUiRoute#FIGURES}; by default nobody may, and
         * every caller with {@code "*"}.
         */
        public Config figuresRole(String role) {
            figuresRole = Optional.of(role);
            return this;
        }

        /**
         * Sets the role whose callers may propose calls that no model made, see {@link AgUiRoute#PROPOSALS}; by default nobody may, and every
         * caller with {@code "*"}. They run tools that need no approval with any arguments, at once.
         */
        public Config proposalRole(String role) {
            proposalRole = Optional.of(role);
            return this;
        }

        /** Sets the authenticator, which identifies the callers; {@link Authenticator#NONE} by default. */
        public Config authenticator(Authenticator finder) {
            authenticator = finder;
            return this;
        }

        /**
         * Limits the bytes of a body. Should leave room for long conversations, which most clients send whole with every input.
         * All bodies that are arriving may have eight times as many together, besides the first 65,536 bytes of each. Javalin's own
         * {@code http.maxRequestSize} does not apply.
         *
         * @param bytes {@value #DEFAULT_MAX_BODY_BYTES} by default
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
         * Sets how long a body may take to arrive.
         *
         * @param most 30 seconds by default
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
         * Sets the form in which streams are written, and all clients treated; by default that of each client, by the
         * {@code protocolVersion} of its input, see {@link Dialect#of}. An agent may be served in several, each at its own
         * path.
         */
        public Config dialect(Dialect spoken) {
            dialect = Optional.of(spoken);
            return this;
        }

        /**
         * Limits the bytes that wait for a client that does not read. If more wait when the next event comes, the connection is
         * broken off. A single event may be larger, and the last event of a run is always taken.
         *
         * @param bytes {@value #DEFAULT_BUFFER_BYTES} by default, besides what the operating system buffers
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
         * Limits the silence of a stream: after it a comment ({@code : keep-alive}) is written, which clients ignore. Should be less than the idle timeouts of the server, 30 seconds by default, and of proxies.
         *
         * @param interval {@link #DEFAULT_KEEP_ALIVE} by default; zero for no comments
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
         * Sets the listener for clients that are gone before their runs have ended. With a listener, silent streams get a comment
         * every second, so that it hears of a closed connection about two seconds later, also while a tool is at work.
         *
         * @param listener by default {@link DisconnectListener#NONE}; called on a thread of the server's pool
         */
        public Config onDisconnect(DisconnectListener listener) {
            disconnects = listener;
            return this;
        }

        /**
         * Sets a callback for a meter: it runs each time that a client is dropped because it does not read, see
         * {@link #bufferBytes}, on a thread of the server's pool. The run goes on.
         */
        public Config onDrop(Runnable dropped) {
            whenDropped = dropped;
            return this;
        }

        /** Sets the timer of the comments, for tests. */
        Config timer(KeepAlive.Timer beats) {
            timer = beats;
            return this;
        }

        /** The interval of comments: a closed connection is noticed when something is written, at the second time mostly. */
        private Duration interval() {
            boolean isShorter = disconnects != DisconnectListener.NONE && keepAlive.compareTo(NOTICED_WITHIN) > 0;
            return isShorter ? NOTICED_WITHIN : keepAlive;
        }

        /** Lists the paths of agents: of the one that has no id, and of the others, which has something at its end. */
        private List<String> bases(String end) {
            List<String> bases = new ArrayList<>();
            if (agents.containsKey("")) {
                bases.add(path.replaceFirst("/+$", ""));
            }
            if (agents.size() > bases.size()) {
                bases.add(agentsPath.replaceFirst("/+$", "") + end);
            }
            return bases;
        }

        /** Lists the paths of a route. */
        private List<String> paths(AgUiRoute route) {
            String below = routes.getOrDefault(route, route.defaultPath());
            return bases("/{" + JavalinExchange.AGENT_ID + "}").stream()
                    .map(base -> base + below)
                    .map(joined -> joined.isEmpty() ? "/" : joined)
                    .toList();
        }
    }

    /**
     * Creates the plugin.
     *
     * @throws IllegalStateException if the Javalin on the class path is not version 7: others never call the plugin
     */
    public AgUiPlugin(Consumer<Config> config) {
        super(config, new Config());
        JavalinVersion.require();
    }

    /** Adds the routes; called by Javalin. */
    @Override
    public void onInitialize(JavalinState state) {
        if (pluginConfig.agents.isEmpty()) {
            throw new IllegalStateException("AgUiPlugin: set the agent, config.agent(...)");
        }
        if (pluginConfig.authenticator != Authenticator.NONE) {
            pluginConfig.hosts.add(SiteGuard.ANY_HOST); // who has to authenticate is known by that
        }
        Executor threads = task -> serverThreads(state).execute(task);
        SseStreams streams = new SseStreams(
                pluginConfig.bufferBytes,
                KeepAlive.keepAlive(pluginConfig.timer, pluginConfig.interval()),
                pluginConfig.whenDropped,
                threads);
        AgUiEndpoints endpoints = new AgUiEndpoints(
                pluginConfig.agents,
                new SiteGuard(pluginConfig.hosts, "config.hosts(\"%s\")"),
                Optional.ofNullable(state.jetty.host),
                pluginConfig.dialect,
                new AgUiEndpoints.Roles(pluginConfig.haltRole, pluginConfig.figuresRole, pluginConfig.proposalRole),
                streams,
                new Pace(),
                pluginConfig.disconnects::disconnected);
        RequestBodies bodies = new RequestBodies(pluginConfig.maxBodyBytes);
        state.jetty.modifyServer(server -> {
            if (server.getErrorHandler() == null) {
                server.setErrorHandler(new JsonErrors());
            }
            server.addEventListener(new LifeCycle.Listener() {
                @Override
                public void lifeCycleStarting(LifeCycle event) { // the application's connectors are known now
                    Stream.of(server.getConnectors()).forEach(AgUiPlugin::prepare);
                }

                @Override
                public void lifeCycleStarted(LifeCycle event) {
                    if (pluginConfig.authenticator == Authenticator.NONE) {
                        Stream.of(server.getConnectors())
                                .map(each -> each instanceof ServerConnector open ? open.getHost() : null)
                                .distinct()
                                .forEach(host -> OpenServer.warn(host, "authenticator(...) of AgUiPlugin"));
                    }
                }
            });
        });
        Function<Context, Exchange> exchanges =
                ctx -> new JavalinExchange(ctx, pluginConfig.authenticator, bodies, pluginConfig.bodyTimeout, threads);
        for (AgUiRoute route : EnumSet.complementOf(pluginConfig.left)) {
            Handler handler = ctx -> ctx.future(() -> endpoints.answer(exchanges.apply(ctx), route.endpoint));
            for (HandlerType method : route.methods()) {
                pluginConfig.paths(route).forEach(path -> state.routes.addHttpHandler(method, path, handler));
            }
        }
    }

    private static void prepare(Connector connector) {
        if (connector instanceof ServerConnector open && open.getAcceptQueueSize() == 0) {
            open.setAcceptQueueSize(WAITING_CONNECTIONS);
        }
        for (ConnectionFactory factory : connector.getConnectionFactories()) {
            if (factory instanceof HttpConfiguration.ConnectionFactory http) {
                // or a token in other letters is taken for the one that came before it on the connection: somebody
                // else's
                http.getHttpConfiguration().setHeaderCacheCaseSensitive(true);
            }
        }
    }

    /** Finds the pool of the server, with virtual threads if Javalin is told so. Another servlet container has no pool here. */
    private static Executor serverThreads(JavalinState state) {
        return Optional.<Executor>ofNullable(state.jetty.threadPool).orElseGet(ForkJoinPool::commonPool);
    }

    /** Answers what is not served at or below the agents' paths, once all handlers of the application are known; called by Javalin. */
    @Override
    public void onStart(JavalinState state) {
        for (String base : pluginConfig.bases("")) {
            state.routes.after(base.isEmpty() ? "/" : base, ctx -> refuseUnserved(state, ctx));
            state.routes.after(base + "/*", ctx -> refuseUnserved(state, ctx));
        }
    }

    /**
     * Answers a path or a method that is not served. Runs after all handlers of the path, so that it hides neither a handler or a
     * file of the application nor the answer of the CORS plugin.
     */
    private static void refuseUnserved(JavalinState state, Context ctx) {
        boolean isUnserved = ctx.endpoints().lastHttpEndpoint() == null
                && (ctx.status() == HttpStatus.NOT_FOUND || ctx.status() == HttpStatus.METHOD_NOT_ALLOWED);
        if (!isUnserved) {
            return;
        }
        String path = ctx.path().substring(ctx.contextPath().length());
        String allowed =
                MethodNotAllowedUtil.INSTANCE.findAvailableHttpHandlerTypes(state.internalRouter, path).stream()
                        .map(HandlerType::name)
                        .collect(Collectors.joining(", "));
        Refusal refusal = allowed.isEmpty()
                ? new Refusal(ErrorCode.PATH_NOT_FOUND, "This path has no route.")
                : Refusal.wrongMethod(allowed);
        if (!allowed.isEmpty()) {
            ctx.header(Header.ALLOW, allowed);
        }
        ctx.status(refusal.status()).contentType(ContentType.APPLICATION_JSON).result(refusal.json());
    }

    /** Allows several plugins, each at its own paths. */
    @Override
    public boolean repeatable() {
        return true;
    }
}
