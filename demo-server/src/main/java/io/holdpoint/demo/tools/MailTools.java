package io.holdpoint.demo.tools;

import dev.langchain4j.agent.tool.P;
import dev.langchain4j.agent.tool.Tool;
import io.holdpoint.RequiresApproval;
import io.holdpoint.ToolCallContext;
import io.holdpoint.store.Grant;

/** An outbox that is never emptied: a mail is written down and goes nowhere. Thread-safe. */
public final class MailTools {

    private final DemoEffects effects;

    /**
     * Opens the outbox.
     *
     * @param effects where a mail is written down
     */
    public MailTools(DemoEffects effects) {
        this.effects = effects;
    }

    /**
     * Pretends to send a mail.
     *
     * @param to the recipient's address
     * @param subject the subject line
     * @param body the text
     * @param call says which tool call this is
     * @return a sentence saying what was sent
     */
    @Tool("Send an email")
    @RequiresApproval(
            message = "Send email to {{to}} with subject '{{subject}}'?",
            remember = {Grant.Scope.SAME_CALL, Grant.Scope.TOOL})
    public String sendEmail(
            @P("the recipient's email address") String to,
            @P("the subject line") String subject,
            @P("the text of the email") String body,
            ToolCallContext call) {
        effects.add(
                "sendEmail",
                ToolCalls.args().put("to", to).put("subject", subject).put("body", body),
                ToolCalls.id(call));
        return "Sent '" + subject + "' to " + to + ".";
    }
}
