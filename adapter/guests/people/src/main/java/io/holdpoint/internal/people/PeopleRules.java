package io.holdpoint.internal.people;

import io.holdpoint.RequiresApproval;
import io.holdpoint.internal.gate.RuleReader;
import io.holdpoint.people.Confirmation;
import io.holdpoint.rule.Rule;
import java.util.ArrayList;
import java.util.List;

/** The rules that annotations say. Public for the {@link java.util.ServiceLoader}. */
public final class PeopleRules implements RuleReader {

    @Override
    public List<Rule> read(RequiresApproval annotation) {
        List<Rule> rules = new ArrayList<>();
        if (!annotation.confirm().isEmpty()) {
            rules.add(Confirmation.of(annotation.confirm()));
        }
        return rules;
    }

    @Override
    public List<Rule> all() {
        return List.of(Confirmation.of(""));
    }
}
