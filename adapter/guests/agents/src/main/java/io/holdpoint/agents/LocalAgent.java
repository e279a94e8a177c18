package io.holdpoint.agents;

import dev.langchain4j.service.tool.ToolProvider;
import io.holdpoint.ErrorCode;
import io.holdpoint.Holdpoint;
import io.holdpoint.Timeline;
import io.holdpoint.internal.run.Inside;

/**
 * Another agent of this process as a tool: {@code Holdpoint.builder(...).toolProviders(LocalAgent.of("clerk", "Writes and sends mails", clerk))}.
 * Each call has a thread of its own, which no client can reach, on that agent's store.
 *
 * <p>Every question of the agent, also of agents inside it, ends the run of the one around it as an interrupt of that call, with the same
 * reason, schema and details of the call that would run, and in {@code metadata.langchain4j.delegatedBy} the call that it comes from. Its
 * answer goes back to the agent, whose authorizer and checks count as well: who may not decide there is refused
 * ({@link ErrorCode#INTERRUPT_FORBIDDEN}), and what the checks do not accept is asked again, with the reason. Earlier steps are not run
 * again, also after a restart. The agent around it takes the steps of the question's {@link Timeline}. If the interrupt is cancelled or
 * expires, the task ends there.
 */
public final class LocalAgent {

    private LocalAgent() {}

    /**
     * Makes a tool of an agent. The name and the description, of the tasks that the agent is good for, are for the model of the agent around
     * it, which gives the tool a {@code task}, and gets the text of the answer.
     *
     * @param name 1 to 64 letters, digits, {@code _} and {@code -}, or it is an {@link IllegalArgumentException}
     * @return a provider of the one tool, for {@code toolProviders(...)} of an agent of Holdpoint; thread-safe
     */
    public static ToolProvider of(String name, String description, Holdpoint agent) {
        return new AgentTool(name, description, Inside.of(agent).runs().config.asTool());
    }
}
