package io.holdpoint.readme;

import dev.langchain4j.agent.tool.P;
import dev.langchain4j.agent.tool.Tool;
import io.holdpoint.Holdpoint;
import io.holdpoint.PendingInterrupt;
import io.holdpoint.RequiresApproval;
import io.holdpoint.RunResult;

final class FirstLines {

    private final Mailer mailer;

    FirstLines(Mailer mailer) {
        this.mailer = mailer;
    }

    // readme
    @Tool("Send an email")
    @RequiresApproval(message = "Send email to {{to}} with subject '{{subject}}'?")
    String sendEmail(@P("recipient") String to, @P("subject") String subject, @P("body") String body) {
        // end
        mailer.send(to, subject, body);
        return "sent";
    }

    static RunResult asked(Holdpoint agent) {
        // readme
        RunResult result = agent.send("thread-1", "Write to Ada"); // the model calls the tool, and nothing runs
        PendingInterrupt.Approval question = result.approval(); // Send email to "ada@example.com" with subject 'Hi'?
        result = agent.resume("thread-1", question.approve()); // it runs; or .edit("subject", "Hello"), .deny("no")
        // end
        return result;
    }
}
