package io.holdpoint.javalin;

import io.holdpoint.internal.servlet.AgUiEndpoints.Route;
import io.javalin.http.HandlerType;

/** The requests that an agent answers over HTTP. */
public enum AgUiRoute {
    /** {@code POST}: takes a {@code RunAgentInput}, answers with a stream of events. At the agent's own path by default. */
    RUN(Route.RUN),
    /** {@code POST} of {@code {"threadId"}}: stops the run of a thread, or cancels what it holds. At {@code /cancel} by default. */
    CANCEL(Route.CANCEL),
    /**
     * {@code POST} of {@code {"threadId", "interruptId", "status", "payload"}}: an answer to one interrupt, without a stream. At
     * {@code /decisions} by default.
     */
    DECISIONS(Route.DECISIONS),
    /**
     * {@code POST} of {@code {"threadId", "runId"}}: a thread as it is, with {@code ?follow=true} also the run that is active on
     * it; answers with a stream of events. At {@code /history} by default.
     */
    HISTORY(Route.HISTORY),
    /** {@code GET}: the caller's open interrupts across threads. At {@code /interrupts} by default. */
    INTERRUPTS(Route.INTERRUPTS),
    /** {@code GET}: the capabilities of the agent. At {@code /capabilities} by default. */
    CAPABILITIES(Route.CAPABILITIES);

    final Route endpoint;

    AgUiRoute(Route endpoint) {
        this.endpoint = endpoint;
    }

    /**
     * Gives the method of the request.
     *
     * @return {@code POST} or {@code GET}
     */
    public HandlerType method() {
        return HandlerType.findOrCreate(endpoint.method());
    }

    /**
     * Gives the path of the route unless {@link AgUiPlugin.Config#route} sets another one.
     *
     * @return the path below the agent's own; empty for that one itself
     */
    public String defaultPath() {
        return endpoint.path();
    }
}
