package io.holdpoint.internal.run;

import java.time.Duration;

/** Runs something later. Must be thread-safe. */
@FunctionalInterface
public interface BeatTimer {

    /**
     * Runs a task once.
     *
     * @param delay from now
     * @param task must not throw
     */
    void after(Duration delay, Runnable task);
}
