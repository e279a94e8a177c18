package io.holdpoint.demo.tools;

import dev.langchain4j.agent.tool.ToolSpecification;
import io.holdpoint.people.Provenance;
import io.holdpoint.rule.Proposal;
import io.holdpoint.rule.Rule;
import io.holdpoint.rule.Say;
import io.holdpoint.store.Reversibility;
import java.util.Optional;
import java.util.Set;

/** Has a person asked about payments from the account unless the user has named the recipient; other tools of the demo are as they were. Thread-safe. */
public final class OriginOfPayments implements Rule {

    private static final String TOOL = "payFromAccount";

    private final Provenance provenance =
            Provenance.untrusted("readInvoice").asksUnless(TOOL, "to", Provenance.Source.USER);

    /** Creates the rule. */
    public OriginOfPayments() {}

    @Override
    public String name() {
        return provenance.name();
    }

    /** Lets the rule see all tools, because values come from their results. */
    @Override
    public boolean concerns(ToolSpecification tool, Optional<Reversibility> reversibility) {
        return provenance.concerns(tool, reversibility) && tool.name().equals(TOOL);
    }

    @Override
    public Say onProposal(Proposal proposal) {
        return provenance.onProposal(proposal);
    }

    @Override
    public Set<String> unredacted() {
        return provenance.unredacted();
    }
}
