package io.holdpoint.internal.turn;

import dev.langchain4j.agent.tool.ToolExecutionRequest;
import dev.langchain4j.service.tool.ToolExecutionResult;

/** The AI Service's loop of model answers and tool calls, as far as a turn asks it. */
public interface ToolLoop {

    /** The most rounds of tool calls that one turn may have. */
    int maxRounds();

    /** The turn has ended. Called once, before the run goes on from there. */
    void ended(TurnEnd.TurnOutcome how);

    /** The application's answer to a call of a tool that does not exist. */
    ToolExecutionResult hallucinated(ToolExecutionRequest request);
}
