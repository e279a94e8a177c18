package io.holdpoint.hook;

import io.holdpoint.Holdpoint;
import io.holdpoint.RunResult;

/**
 * Hears when runs start and end. Called on the thread of the run, which waits, so it must be quick; must be thread-safe. What it
 * throws is logged and changes nothing.
 *
 * <p>A run starts when it has its thread. An input that does not come so far, because it is rejected, because an
 * {@link InputHook} fails, or because the store is down, is no run and is not told.
 */
public interface RunListener {

    /**
     * A run has its thread. Whether it is refused, because of a bad answer for instance, is not known yet.
     *
     * @param run which
     */
    default void started(RunInfo run) {}

    /**
     * A run has ended: once for each that started, after its last event was sent and before the future of
     * {@link Holdpoint#run} completes. The next run on the thread may have started already.
     *
     * @param run which
     * @param result how it ended
     */
    default void ended(RunInfo run, RunResult result) {}
}
