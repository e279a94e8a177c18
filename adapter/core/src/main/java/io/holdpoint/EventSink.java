package io.holdpoint;

import io.holdpoint.agui.Event;

/**
 * Receives the events of a run, for any transport.
 *
 * <ul>
 *   <li>The events of one run come one at a time, in order, on the thread that is at work: the agent's, the model's, a tool's.
 *       The first may come before {@link Holdpoint#run} has returned.
 *   <li>The first one says that the run was accepted: for a run that is not, {@code run} throws a {@link RunRejectedException}
 *       and no event is sent. So a response is opened by its first event.
 *   <li>The last one is a {@code RUN_FINISHED} or {@code RUN_ERROR}. Then the future of {@code run}
 *       completes: a response may be closed.
 *   <li>The run waits for {@link #send}. A sink that waits for its client slows the run.
 *   <li>A sink that throws is not called again for the run; the run goes on to its end without it, so that a hold is reached even
 *       if the client has gone.
 * </ul>
 *
 * <p>{@link io.holdpoint.agui.SseFrame} writes an event as a server-sent event.
 */
@FunctionalInterface
public interface EventSink {

    /** Receives an event; throws if the client is gone. */
    void send(Event event);

    /**
     * Checks whether the events still have a reader. It is asked when the owner of a thread says something while a run is
     * active on it: a run without readers gives way, see {@link Holdpoint#run}. May wait for a moment, and is called on the
     * thread of the other run's transport.
     *
     * @return {@code true} by default; {@code false} only if the client is gone
     */
    default boolean isRead() {
        return true;
    }
}
