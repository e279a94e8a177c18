package io.holdpoint.internal.turn;

import dev.langchain4j.agent.tool.ToolExecutionRequest;
import dev.langchain4j.service.tool.ToolExecutionResult;
import java.util.Optional;

/** The AI Service's loop of model answers and tool calls, as far as a turn asks it. */
public interface ToolLoop {

    /** The most rounds of tool calls that one turn may have. */
    int maxRounds();

    /** The turn has ended. Called once, before the run goes on from there. */
    void ended(Turn.TurnOutcome how);

    /** The application's answer to a call of a tool that does not exist. */
    ToolExecutionResult hallucinated(ToolExecutionRequest request);

    /** The application's answer to arguments that a tool does not take; empty if it has no handler for them. */
    Optional<ToolExecutionResult> misfit(ToolExecutionRequest request, Throwable why);
}
