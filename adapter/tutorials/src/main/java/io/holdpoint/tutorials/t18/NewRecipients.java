package io.holdpoint.tutorials.t18;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.holdpoint.ProposedCall;
import io.holdpoint.rule.Answering;
import io.holdpoint.rule.Proposal;
import io.holdpoint.rule.Rule;
import io.holdpoint.rule.Say;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** A rule: a person looks at payments to recipients whom nobody has paid before, and nothing is paid to whoever is blocked. */
record NewRecipients(Map<String, Integer> paidSoFar, Set<String> blocked) implements Rule {

    // readme
    @Override
    public String name() {
        return "newRecipient";
    }

    @Override
    public Set<String> tools() {
        return Set.of("pay");
    }
    // end

    // readme
    @Override
    public Say onProposal(Proposal proposal) {
        String recipient = recipient(proposal.call());
        return paidSoFar.containsKey(recipient)
                ? Say.NOTHING
                : Say.ask(JsonNodeFactory.instance
                        .objectNode()
                        .put("reason", "Nobody has paid " + recipient + " before."));
    }
    // end

    // readme
    @Override
    public Optional<String> onAnswer(Answering answer) {
        int amount = answer.call().argument("amount", Integer.class).orElse(0);
        return amount > 1000 && !paidSoFar.containsKey(recipient(answer.call()))
                ? Optional.of("A first payment is 1000 at most. Edit the amount, or deny.")
                : Optional.empty();
    }
    // end

    // readme
    @Override
    public Optional<String> beforeBody(ProposedCall call) {
        return blocked.contains(recipient(call)) ? Optional.of("the recipient is blocked") : Optional.empty();
    }
    // end

    private static String recipient(ProposedCall call) {
        return call.argument("recipient", String.class).orElse("");
    }
}
