package io.holdpoint.demo.tools;

import io.holdpoint.ApprovalCondition;
import io.holdpoint.ApprovalVerdict;
import io.holdpoint.ProposedCall;
import java.math.BigDecimal;

/**
 * Asks about transfers of more than 100 euros; smaller ones may go. Without a readable amount it throws, which asks as well.
 * Stateless.
 */
public final class LargeTransfer implements ApprovalCondition {

    private static final BigDecimal LIMIT = new BigDecimal(100);

    /** Creates the condition; done by the agent. */
    public LargeTransfer() {}

    @Override
    public ApprovalVerdict evaluate(ProposedCall call) {
        BigDecimal amount = call.argument("amount", BigDecimal.class).orElseThrow();
        return ApprovalVerdict.requireApprovalIf(amount.compareTo(LIMIT) > 0);
    }
}
