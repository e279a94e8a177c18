package io.holdpoint.internal.lease;

import java.time.Duration;

/** Runs tasks later, or on threads of its own. Must be thread-safe. */
public interface BeatTimer {

    /** Runs a task once after a delay. The task must not throw. */
    void after(Duration delay, Runnable task);

    /**
     * Runs a task now, on a thread that no other task keeps busy: an application's pool may be so full that leases would end. The
     * task may take its time, and must not throw.
     */
    void aside(Runnable task);
}
