package io.holdpoint.spring;

import io.holdpoint.Holdpoint;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.context.SmartLifecycle;

/**
 * Shuts agents down before anything else stops: their runs end while the web server still takes their streams' bytes. The
 * runs of all agents have the same time of grace.
 */
final class AgentLifecycle implements SmartLifecycle, SmartInitializingSingleton {

    private final Supplier<Collection<Holdpoint>> agents;
    private final Duration grace;
    private volatile boolean running;
    private volatile boolean stopped;

    AgentLifecycle(Supplier<Collection<Holdpoint>> agents, Duration grace) {
        this.agents = agents;
        this.grace = grace;
    }

    /** Finds a mistake in an agent when the application starts. */
    @Override
    public void afterSingletonsInstantiated() {
        agents.get();
    }

    /**
     * Starts nothing: agents are ready when they are built.
     *
     * @throws IllegalStateException if the context was stopped before: its agents are shut down for good, and each answer would be refused
     */
    @Override
    public void start() {
        if (stopped) {
            throw new IllegalStateException(
                    "Holdpoint's agents were shut down when this application context was stopped, and cannot be"
                            + " started again: they would refuse every run. Refresh a new context, as a restart of the application does.");
        }
        running = true;
    }

    @Override
    public void stop() {
        stop(() -> {});
    }

    @Override
    public void stop(Runnable callback) {
        running = false;
        stopped = true;
        List<CompletableFuture<?>> ended = agents.get().stream()
                .<CompletableFuture<?>>map(
                        agent -> CompletableFuture.runAsync(() -> agent.shutdown(grace), AgentLifecycle::onThread))
                .toList();
        CompletableFuture.allOf(ended.toArray(CompletableFuture[]::new)).whenComplete((all, failure) -> callback.run());
    }

    private static void onThread(Runnable shutdown) {
        Thread thread = new Thread(shutdown, "holdpoint-shutdown");
        thread.setDaemon(true);
        thread.start();
    }

    @Override
    public boolean isRunning() {
        return running;
    }

    /** An agent that is shut down stays so, and a pause of Spring 7 is none of a server. Overrides its method there. */
    public boolean isPauseable() {
        return false;
    }

    @Override
    public int getPhase() {
        return DEFAULT_PHASE; // the web server's graceful shutdown comes later
    }
}
