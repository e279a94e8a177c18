package io.holdpoint.tutorials.t16;

import io.temporal.activity.ActivityInterface;
import io.temporal.activity.ActivityOptions;
import io.temporal.workflow.SignalMethod;
import io.temporal.workflow.Workflow;
import io.temporal.workflow.WorkflowInterface;
import io.temporal.workflow.WorkflowMethod;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** A payment as a workflow: asks the agent for it, waits for the answer of a person, and ends when the agent has told the outcome. */
@WorkflowInterface
public interface Payment {

    /** A notice of the agent: the text is the question, or its outcome. */
    record Noticed(String type, String interruptId, String text) {}

    /** The decision of a person. */
    record Answer(String person, boolean approved) {}

    /** Returns what came of it. */
    @WorkflowMethod
    String pay(String invoice);

    @SignalMethod
    void noticed(Noticed notice);

    @SignalMethod
    void decided(Answer answer);

    /** The work of the workflow outside of itself. Temporal repeats each part until it has succeeded. */
    @ActivityInterface
    interface Agent {

        void ask(String threadId, String request);

        void answer(String threadId, String interruptId, Answer answer);
    }

    // readme
    /** Temporal runs this again from its beginning on another worker, with what the activities gave and the signals that came. */
    final class Flow implements Payment {

        private final Agent agent = Workflow.newActivityStub(
                Agent.class,
                ActivityOptions.newBuilder()
                        .setStartToCloseTimeout(Duration.ofSeconds(20))
                        .build());
        private final List<Answer> answers = new ArrayList<>();
        private String question = "";
        private String outcome = "";

        @Override
        public String pay(String invoice) {
            String threadId = Workflow.getInfo().getWorkflowId();
            agent.ask(threadId, "Pay invoice " + invoice);
            while (outcome.isEmpty()) {
                Workflow.await(() -> !outcome.isEmpty() || !question.isEmpty() && !answers.isEmpty());
                if (outcome.isEmpty()) {
                    agent.answer(threadId, question, answers.remove(0));
                }
            }
            return outcome;
        }

        @Override
        public void noticed(Noticed notice) {
            switch (notice.type()) {
                case "io.holdpoint.asked" -> question = notice.interruptId();
                case "io.holdpoint.settled" -> outcome = notice.text();
                default -> {} // reminders
            }
        }

        @Override
        public void decided(Answer answer) {
            answers.add(answer);
        }
    }
    // end
}
