package io.holdpoint.internal.lease;

import java.time.Duration;

/** Runs something later, or aside. Must be thread-safe. */
public interface BeatTimer {

    /**
     * Runs a task once.
     *
     * @param delay from now
     * @param task must not throw
     */
    void after(Duration delay, Runnable task);

    /**
     * Runs a task now, on a thread that waits for nothing else: no application's pool may be so busy that leases end.
     *
     * @param task may take its time; must not throw
     */
    void aside(Runnable task);
}
