package io.holdpoint.demo.tools;

import dev.langchain4j.agent.tool.P;
import dev.langchain4j.agent.tool.Tool;
import io.holdpoint.RequiresApproval;
import io.holdpoint.ToolCallContext;
import jakarta.validation.constraints.Positive;
import java.math.BigDecimal;

/** A bank without money: a transfer is written down and nothing else. Thread-safe. */
public final class BankTools {

    private final DemoEffects effects;

    /**
     * Opens the bank.
     *
     * @param effects where a transfer is written down
     */
    public BankTools(DemoEffects effects) {
        this.effects = effects;
    }

    /**
     * Pretends to transfer money. More than 100 euros need an approval.
     *
     * @param amount how much, in euros
     * @param to who gets it
     * @param call says which tool call this is
     * @return a sentence saying what was transferred
     * @throws IllegalArgumentException if the amount is zero or less
     */
    @Tool("Transfer money to somebody")
    @RequiresApproval(when = LargeTransfer.class, message = "Transfer {{amount}} euros to {{to}}?")
    public String transferMoney(
            @P("the amount in euros") @Positive BigDecimal amount,
            @P("who gets the money") String to,
            ToolCallContext call) {
        if (amount.signum() <= 0) {
            throw new IllegalArgumentException("The amount must be more than zero, not " + amount.toPlainString());
        }
        effects.add("transferMoney", ToolCalls.args().put("amount", amount).put("to", to), ToolCalls.id(call));
        return "Transferred " + amount.toPlainString() + " euros to " + to + ".";
    }

    /**
     * Pretends to buy shares at a price that holds for a minute: later, nobody can approve it.
     *
     * @param count how many
     * @param company of which company
     * @param call says which tool call this is
     * @return a sentence saying what was bought
     */
    @Tool("Buy shares")
    @RequiresApproval(
            message = "Buy {{count}} shares of {{company}}? The price holds for a minute.",
            expiresAfter = "PT1M")
    public String buyShares(@P("how many") int count, @P("the company") String company, ToolCallContext call) {
        effects.add("buyShares", ToolCalls.args().put("count", count).put("company", company), ToolCalls.id(call));
        return "Bought " + count + " shares of " + company + ".";
    }
}
