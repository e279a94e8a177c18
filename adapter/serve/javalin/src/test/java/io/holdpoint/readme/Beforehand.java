package io.holdpoint.readme;

import dev.langchain4j.agent.tool.Tool;
import io.holdpoint.RequiresApproval;
import io.holdpoint.people.IntendedCall;
import io.holdpoint.people.IntendedCalls;
import io.holdpoint.store.Grant;
import java.math.BigDecimal;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

final class Beforehand {

    final List<String> paid = new CopyOnWriteArrayList<>();

    // readme
    @Tool("Call this before you pay more than one invoice, with all payments that you are going to make.")
    @RequiresApproval(message = "Make these payments?", rules = IntendedCalls.class)
    String intend(List<IntendedCall> calls) {
        return "The list is approved. Make exactly these calls.";
    }

    @Tool("Pays an invoice.")
    @RequiresApproval(remember = Grant.Scope.SAME_CALL, rememberFor = "PT30M")
    String pay(String invoice, BigDecimal amount) {
        paid.add(invoice + " " + amount);
        return "paid";
    }
    // end
}
