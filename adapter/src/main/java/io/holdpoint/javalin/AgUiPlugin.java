package io.holdpoint.javalin;

import io.holdpoint.Holdpoint;
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
 *   <li>{@code GET <path>/capabilities} answers with {@code AgentCapabilities}
 * </ul>
 *
 * <p>An input that cannot be read is answered with status 400, an answer on an unknown thread with 404, a thread with an
 * active run with 409; the body is {@code {"code": "...", "message": "..."}}. Everything else is a stream. The run goes on
 * if the client disconnects. The body's size is limited by Javalin's {@code http.maxRequestSize}, one megabyte by default.
 */
public final class AgUiPlugin extends Plugin<AgUiPlugin.Config> {

    /** What to serve, and where. */
    public static final class Config {

        private Optional<Holdpoint> agent = Optional.empty();
        private String path = "/agent";

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
    }

    /**
     * Creates the plugin.
     *
     * @param config sets the agent and the path
     */
    public AgUiPlugin(Consumer<Config> config) {
        super(config, new Config());
    }

    /** Adds the routes; called by Javalin. */
    @Override
    public void onInitialize(JavalinState state) {
        Holdpoint agent = pluginConfig.agent.orElseThrow(
                () -> new IllegalStateException("AgUiPlugin: set the agent, config.agent(...)"));
        AgUiRoutes routes = new AgUiRoutes(agent);
        state.routes.post(pluginConfig.path, routes::run);
        state.routes.get(pluginConfig.path + "/capabilities", routes::capabilities);
    }

    /** Several agents may be served, each at its own path. */
    @Override
    public boolean repeatable() {
        return true;
    }
}
