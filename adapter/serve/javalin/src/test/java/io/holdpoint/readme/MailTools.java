package io.holdpoint.readme;

import dev.langchain4j.agent.tool.P;
import dev.langchain4j.agent.tool.Tool;
import io.holdpoint.RequiresApproval;

// readme
class MailTools {

    private final Mailer mailer; // whatever sends mail in your application

    MailTools(Mailer mailer) {
        this.mailer = mailer;
    }

    @Tool("Send an email")
    @RequiresApproval(message = "Send email to {{to}} with subject '{{subject}}'?")
    String sendEmail(@P("recipient") String to, @P("subject") String subject, @P("body") String body) {
        mailer.send(to, subject, body);
        return "sent to " + to;
    }
}
// end
