package io.holdpoint.demo.model;

import dev.langchain4j.agent.tool.P;
import dev.langchain4j.agent.tool.Tool;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;

/** Tools with the demo's names and no gate before them; what they did is in {@link #calls}. */
class PlainTools {

    final List<String> calls = new ArrayList<>();

    @Tool
    public String searchContacts(@P("query") String query) {
        calls.add("search " + query);
        return query.startsWith("Ada") ? "Ada Lovelace <ada@example.com>" : "No contact matches.";
    }

    @Tool
    public String sendEmail(@P("to") String to, @P("subject") String subject, @P("body") String body) {
        calls.add("mail " + to + " | " + subject);
        return "Sent '" + subject + "' to " + to + ".";
    }

    @Tool
    public String transferMoney(@P("amount") BigDecimal amount, @P("to") String to) {
        calls.add("transfer " + amount.toPlainString() + " " + to);
        if (to.equals("Mallory")) {
            throw new IllegalStateException("not executed: a person declined this call. Reason: \"too risky\"");
        }
        return "Transferred.";
    }
}
