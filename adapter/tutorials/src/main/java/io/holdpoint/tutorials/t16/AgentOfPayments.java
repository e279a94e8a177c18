package io.holdpoint.tutorials.t16;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.holdpoint.Caller;
import io.holdpoint.Decided;
import io.holdpoint.ErrorCode;
import io.holdpoint.Holdpoint;
import io.holdpoint.RunResult;
import io.holdpoint.agui.Message;
import io.holdpoint.agui.MessageContent;
import io.holdpoint.agui.ResumeEntry;
import io.holdpoint.agui.RunAgentInput;
import java.util.List;
import java.util.function.Consumer;

/** The activities: what they send has the same ids in every attempt, so that the agent knows it again. People see in {@code tasks} what is refused. */
record AgentOfPayments(Holdpoint agent, Consumer<String> tasks) implements Payment.Agent {

    // readme
    @Override
    public void ask(String threadId, String request) {
        Message message = new Message.User(threadId + "-request", MessageContent.text(request));
        RunAgentInput input = RunAgentInput.of(threadId, threadId + "-run", List.of(message));
        RunResult ended =
                agent.as(Caller.of("ada", "treasury")).run(input, event -> {}).join();
        ended.orThrow(); // then Temporal tries again
    }

    @Override
    public void answer(String threadId, String interruptId, Payment.Answer answer) {
        ResumeEntry entry = ResumeEntry.resolved(
                interruptId, JsonNodeFactory.instance.objectNode().put("approved", answer.approved()));
        Caller person = Caller.of(answer.person(), "treasury"); // your directory knows the roles
        Decided decided = agent.as(person).decide(threadId, entry);
        if (decided instanceof Decided.Refused refused) {
            if (refused.code() == ErrorCode.RUN_IN_PROGRESS) {
                throw new IllegalStateException(refused.message()); // then Temporal tries again
            }
            tasks.accept(answer.person() + ": " + refused.code().sentence());
        }
    }
    // end
}
