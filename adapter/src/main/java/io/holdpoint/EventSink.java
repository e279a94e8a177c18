package io.holdpoint;

import io.holdpoint.agui.Event;

/**
 * Where the events of a run go, whatever the transport.
 *
 * <p>Events of one run come one at a time, in order, on whatever thread is at work: the agent's, the model's, a tool's. The last one is a
 * {@code RUN_FINISHED} or {@code RUN_ERROR}; nothing follows it. A sink that throws is not called again for the run; the
 * run goes on to its end without it, so that a hold is reached even if the client has gone.
 */
@FunctionalInterface
public interface EventSink {

    /**
     * Takes an event.
     *
     * @param event the next event
     */
    void send(Event event);
}
