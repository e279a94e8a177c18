package io.holdpoint.demo.tools;

import dev.langchain4j.agent.tool.P;
import dev.langchain4j.agent.tool.Tool;
import io.holdpoint.RequiresApproval;
import io.holdpoint.ToolCallContext;
import io.holdpoint.people.IntendedCall;
import io.holdpoint.people.IntendedCalls;
import io.holdpoint.store.Grant;
import jakarta.validation.constraints.Positive;
import java.math.BigDecimal;
import java.util.List;

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
     * Has all payments approved at once that are going to be made; does nothing else.
     *
     * @param calls the payments
     * @return a sentence saying what the model may do now
     */
    @Tool("Call this before you pay more than one bill, with all payments that you are going to make")
    @RequiresApproval(message = "Make these payments?", rules = IntendedCalls.class)
    public String planPayments(@P("the calls of payBill") List<IntendedCall> calls) {
        return "The list is approved. Make exactly these calls.";
    }

    /**
     * Pretends to pay a bill, which needs an approval unless a list with this payment was approved.
     *
     * @param biller who gets the money
     * @param amount how much, in euros
     * @param call says which tool call this is
     * @return a sentence saying what was paid
     */
    @Tool("Pay a bill")
    @RequiresApproval(
            message = "Pay {{biller}} {{amount}} euros?",
            remember = Grant.Scope.SAME_CALL,
            rememberFor = "PT30M")
    public String payBill(
            @P("who gets the money") String biller,
            @P("the amount in euros") @Positive BigDecimal amount,
            ToolCallContext call) {
        effects.add("payBill", ToolCalls.args().put("biller", biller).put("amount", amount), ToolCalls.id(call));
        return "Paid " + biller + " " + amount.toPlainString() + " euros.";
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
