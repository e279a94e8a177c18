package io.holdpoint.testing;

import dev.langchain4j.agent.tool.P;
import dev.langchain4j.agent.tool.Tool;
import io.holdpoint.RequiresApproval;
import java.math.BigDecimal;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** Tools that write down what they really did. */
public final class OfficeTools {

    private final List<String> effects = new CopyOnWriteArrayList<>();

    @Tool("Send an email")
    @RequiresApproval(message = "Send email to {{to}} with subject '{{subject}}'?")
    public String sendEmail(@P("recipient") String to, @P("subject") String subject, @P("body") String body) {
        effects.add("sendEmail " + to + "|" + subject + "|" + body);
        return "sent to " + to;
    }

    @Tool("Transfer money")
    @RequiresApproval
    public String transferMoney(BigDecimal amount, String to) {
        effects.add("transferMoney " + amount + "|" + to);
        return "transferred " + amount;
    }

    @Tool("Delete records")
    @RequiresApproval(editable = false, expiresAfter = "PT1H")
    public String deleteRecords(String table) {
        effects.add("deleteRecords " + table);
        return "deleted from " + table;
    }

    @Tool("Search contacts")
    public String searchContacts(String query) {
        effects.add("searchContacts " + query);
        return query.toLowerCase() + "@example.com";
    }

    @Tool("Always fails")
    @RequiresApproval
    public String explode(String why) {
        effects.add("explode " + why);
        throw new IllegalStateException("boom: " + why);
    }

    public List<String> effects() {
        return effects;
    }
}
