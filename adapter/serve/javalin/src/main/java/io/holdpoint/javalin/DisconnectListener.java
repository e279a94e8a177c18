package io.holdpoint.javalin;

import io.holdpoint.Holdpoint;
import io.holdpoint.agui.RunAgentInput;

/**
 * Hears of clients that are gone before their runs have ended. The server notices this when it writes to the client: at the next
 * event or keep-alive comment. Must be thread-safe.
 */
@FunctionalInterface
public interface DisconnectListener {

    /** Does nothing: the run goes on to its end, so that a hold is reached even if the tab is closed. The default. */
    DisconnectListener NONE = (agent, input) -> {};

    /** Cancels the run if it is still active, for agents whose answers concern this client only. */
    DisconnectListener CANCEL = (agent, input) -> agent.cancel(input.threadId(), input.runId());

    /**
     * Takes note of a client that has closed the connection, or was dropped because it does not read.
     *
     * @param agent bound to the caller of the run, for instance to cancel it
     * @param input the input of the run, which may have ended in this moment; another one may be active on its thread
     */
    void disconnected(Holdpoint agent, RunAgentInput input);
}
