package io.holdpoint.javalin;

import io.holdpoint.Holdpoint;
import io.holdpoint.agui.RunAgentInput;

/**
 * Hears of clients that are gone before their run has ended. A client that is gone is noticed when something is written to it:
 * at its next event, or the next keep-alive comment. Must be thread-safe.
 */
@FunctionalInterface
public interface DisconnectListener {

    /** Does nothing: the run goes on to its end, so that a hold is reached even if the tab is closed. The default. */
    DisconnectListener NONE = (agent, input) -> {};

    /** Cancels the run, if it is still active: for agents whose answers nobody else waits for. */
    DisconnectListener CANCEL = (agent, input) -> agent.cancel(input.threadId(), input.runId());

    /**
     * The client has closed the connection, or was dropped because it does not read.
     *
     * @param agent working for the caller of the run; to cancel it, for instance
     * @param input what the run was started with. It may have ended in this moment, and another one be active on its thread
     */
    void disconnected(Holdpoint agent, RunAgentInput input);
}
