package io.holdpoint.hook;

import io.holdpoint.Holdpoint;
import io.holdpoint.RunResult;

/**
 * Is told when runs start and end, with the caller and the result: for applications that react to runs. A {@link RunObserver}
 * measures them: it is told of their parts, and gets no data of users. A listener is called on the thread of the run, which
 * waits, so it must be quick; must be thread-safe. An exception is logged and has no other effect.
 *
 * <p>A run starts when it has its thread. An input that is rejected, or that fails before because of an {@link InputHook} or
 * the store, is no run, and no listener is told of it.
 */
public interface RunListener {

    /** Reports that a run has its thread. It may still be refused, because of a bad answer for instance. */
    default void started(RunInfo run) {}

    /**
     * Reports that a run has ended: once for each that started, after its last event was sent and before the future of
     * {@link Holdpoint#run} completes. The next run on the thread may have started already.
     */
    default void ended(RunInfo run, RunResult result) {}
}
