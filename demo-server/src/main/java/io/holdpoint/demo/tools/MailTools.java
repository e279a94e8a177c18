package io.holdpoint.demo.tools;

import dev.langchain4j.agent.tool.P;
import dev.langchain4j.agent.tool.Tool;
import io.holdpoint.RequiresApproval;
import io.holdpoint.ToolCallContext;
import io.holdpoint.store.Grant;
import jakarta.validation.constraints.Email;
import jakarta.validation.constraints.NotBlank;
import jakarta.validation.constraints.Size;

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
     * Pretends to send a mail. A person may change what it says, but not whom it goes to.
     *
     * @param to the recipient's address
     * @param subject the subject line, at most 200 characters
     * @param body the text
     * @param call says which tool call this is
     * @return a sentence saying what was sent
     */
    @Tool("Send an email")
    @RequiresApproval(
            message = "Send email to {{to}} with subject '{{subject}}'?",
            editable = {"subject", "body"},
            decideByLink = true,
            remember = {Grant.Scope.SAME_CALL, Grant.Scope.TOOL})
    public String sendEmail(
            @P("the recipient's email address") @Email String to,
            @P("the subject line") @NotBlank @Size(max = 200) String subject,
            @P("the text of the email") String body,
            ToolCallContext call) {
        effects.add(
                "sendEmail",
                ToolCalls.args().put("to", to).put("subject", subject).put("body", body),
                ToolCalls.id(call));
        return "Sent '" + subject + "' to " + to + ".";
    }
}
