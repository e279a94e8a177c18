package io.holdpoint.readme;

import dev.langchain4j.agent.tool.Tool;
import io.holdpoint.RequiresApproval;
import io.holdpoint.ToolCallContext;
import java.math.BigDecimal;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

final class BankTools {

    record Transfer(BigDecimal amount, String to, String toolCallId) {}

    final List<Transfer> bank = new CopyOnWriteArrayList<>();

    // readme
    @Tool("Transfer money")
    @RequiresApproval(
            message = "Transfer {{amount}} to {{to}}?",
            editable = {},
            expiresAfter = "PT15M")
    String transferMoney(BigDecimal amount, String to, ToolCallContext call) {
        bank.add(new Transfer(amount, to, call.toolCallId()));
        return "transferred " + amount;
    }
    // end
}
