package io.holdpoint.reach;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.holdpoint.ProposedCall;
import io.holdpoint.rule.Intended;
import io.holdpoint.rule.Proposal;
import io.holdpoint.rule.Rule;
import io.holdpoint.rule.Say;
import java.util.List;

/** Whoever approves a payment approves an order like it. */
final class Announces implements Rule {

    @Override
    public String name() {
        return "announces";
    }

    @Override
    public Say onProposal(Proposal proposal) {
        ObjectNode tools = JsonNodeFactory.instance.objectNode();
        Intended order = new Intended("order", proposal.call().arguments(), 1, "");
        return Say.remark(tools.put("order", proposal.outlook().apply(order).toolSha256()));
    }

    @Override
    public List<Intended> intended(ProposedCall call, JsonNode shown) {
        return call.toolName().equals("pay")
                ? List.of(new Intended(
                        "order", call.arguments(), 1, shown.path("order").asText()))
                : List.of();
    }
}
