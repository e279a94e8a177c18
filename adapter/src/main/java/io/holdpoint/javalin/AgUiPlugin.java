package io.holdpoint.javalin;

import io.holdpoint.Holdpoint;
import io.holdpoint.agui.Dialect;
import io.javalin.config.JavalinState;
import io.javalin.plugin.Plugin;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Serves an agent as an AG-UI endpoint in a Javalin application:
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
 * </ul>
 *
 * <p>A caller that the {@link Authenticator} does not know is answered with status 401, a body that is not
 * {@code application/json} with 415, one that is too large with 413, an input that cannot be read with 400, an answer on an
 * unknown thread and anything on a thread of somebody else with 404, a thread with an active run with 409; the body is
 * {@code {"code": "...", "message": "..."}}. Everything else is a stream. The run goes on if the client disconnects.
 */
public final class AgUiPlugin extends Plugin<AgUiPlugin.Config> {

    /** What to serve, and where. */
    public static final class Config {

        /** The largest body by default: one million bytes. */
        public static final int DEFAULT_MAX_BODY_BYTES = 1_000_000;

        private Optional<Holdpoint> agent = Optional.empty();
        private String path = "/agent";
        private Authenticator authenticator = Authenticator.NONE;
        private int maxBodyBytes = DEFAULT_MAX_BODY_BYTES;
        private Dialect dialect = Dialect.V1_0;

        /** Created by the plugin. */
        Config() {}

        /**
         * What to serve. Required.
         *
         * @param served the agent
         * @return this configuration
         */
        public Config agent(Holdpoint served) {
            agent = Optional.of(served);
            return this;
        }

        /**
         * Where to serve it.
         *
         * @param base starts with a slash; {@code /agent} by default
         * @return this configuration
         */
        public Config path(String base) {
            path = base;
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
         * The largest body of a request. Javalin's own {@code http.maxRequestSize} does not apply.
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
         * The form in which streams are written. An agent may be served in several, each at its own path.
         *
         * @param spoken {@link Dialect#V1_0} by default
         * @return this configuration
         */
        public Config dialect(Dialect spoken) {
            dialect = spoken;
            return this;
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
        Holdpoint agent = pluginConfig.agent.orElseThrow(
                () -> new IllegalStateException("AgUiPlugin: set the agent, config.agent(...)"));
        RequestBody body = new RequestBody(pluginConfig.maxBodyBytes);
        AgUiRoutes routes = new AgUiRoutes(agent, pluginConfig.authenticator, body, pluginConfig.dialect);
        state.routes.post(pluginConfig.path, routes::run);
        state.routes.get(pluginConfig.path + "/capabilities", routes::capabilities);
        state.routes.post(pluginConfig.path + "/cancel", new CancelRoute(routes::agent, body)::cancel);
        state.routes.post(
                pluginConfig.path + "/history", new HistoryRoute(agent, routes, body, pluginConfig.dialect)::show);
        state.routes.get(pluginConfig.path + "/interrupts", new InterruptsRoute(agent, routes)::list);
    }

    /** Several agents may be served, each at its own path. */
    @Override
    public boolean repeatable() {
        return true;
    }
}
