package io.holdpoint.javalin;

import io.javalin.http.HandlerType;

/** The requests that an agent answers over HTTP. */
public enum AgUiRoute {
    /** {@code POST}: takes a {@code RunAgentInput}, answers with a stream of events. At the agent's own path by default. */
    RUN(HandlerType.POST, ""),
    /** {@code POST} of {@code {"threadId"}}: stops the run of a thread, or lets go of what it holds. At {@code /cancel} by default. */
    CANCEL(HandlerType.POST, "/cancel"),
    /**
     * {@code POST} of {@code {"threadId", "runId"}}: a thread as it is, with {@code ?follow=true} also the run that is active on
     * it; answers with a stream of events. At {@code /history} by default.
     */
    HISTORY(HandlerType.POST, "/history"),
    /** {@code GET}: the caller's open interrupts across threads. At {@code /interrupts} by default. */
    INTERRUPTS(HandlerType.GET, "/interrupts"),
    /** {@code GET}: the capabilities of the agent. At {@code /capabilities} by default. */
    CAPABILITIES(HandlerType.GET, "/capabilities");

    private final HandlerType method;
    private final String defaultPath;

    AgUiRoute(HandlerType method, String defaultPath) {
        this.method = method;
        this.defaultPath = defaultPath;
    }

    /**
     * Gives the method of the request.
     *
     * @return {@code POST} or {@code GET}
     */
    public HandlerType method() {
        return method;
    }

    /**
     * Gives the path of the route unless {@link AgUiPlugin.Config#route} sets another one.
     *
     * @return the path below the agent's own; empty for that one itself
     */
    public String defaultPath() {
        return defaultPath;
    }
}
