package io.holdpoint.internal.turn;

import io.holdpoint.Caller;
import io.holdpoint.ToolCallContext;
import io.holdpoint.ToolInterrupt;
import io.holdpoint.internal.agent.OuterRun;
import io.holdpoint.internal.question.Restart;
import io.holdpoint.store.Call.Answer;
import io.holdpoint.store.Call.Question;
import java.util.Map;

/** A call in which another agent works, whose questions the call asks as its own. */
public interface DelegatingCall extends ToolCallContext {

    /** The name of the agent whose call it is. */
    String agentName();

    /** Tells whether this call has never been executed before. */
    boolean isFirstAttempt();

    /** The run of this call. */
    OuterRun run();

    /** The answers to each question of the other agent, by the id of that agent's interrupt. */
    Map<String, Restart.Given> delegatedAnswers();

    /** The person who gave an answer, with the roles of the present run if it is theirs. */
    Caller giver(Answer answer);

    /** Leaves the body to ask a question of the other agent, with a remark after its message. */
    ToolInterrupt.Raised delegate(Question question, String remark);
}
