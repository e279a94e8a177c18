package io.holdpoint.reach;

import io.holdpoint.ProposedCall;
import io.holdpoint.rule.Intended;
import io.holdpoint.rule.Rule;
import java.util.List;

/** Whoever approves a payment approves an order like it. */
final class Announces implements Rule {

    @Override
    public String name() {
        return "announces";
    }

    @Override
    public List<Intended> intended(ProposedCall call) {
        return call.toolName().equals("pay") ? List.of(new Intended("order", call.arguments(), 1)) : List.of();
    }
}
