package io.holdpoint.internal.gate;

import io.holdpoint.RequiresApproval;
import io.holdpoint.rule.Rule;
import java.util.List;
import java.util.ServiceLoader;

/** Reads the rules that attributes of an annotation say. A module has it, and {@link ServiceLoader} finds it. Thread-safe. */
public interface RuleReader {

    /**
     * The module's, by the class loader that has this class: a framework's jar and a web application have theirs for all of their libraries,
     * but the thread that builds an agent may have any.
     */
    RuleReader FOUND = ServiceLoader.load(RuleReader.class, RuleReader.class.getClassLoader())
            .findFirst()
            .orElseGet(NoModule::new);

    /** The rules that an annotation says. An {@link IllegalArgumentException} says what is wrong with it. */
    List<Rule> read(RequiresApproval annotation);

    /** One rule of each name, for questions that were stored when others were set. */
    List<Rule> all();

    /** Refuses the attributes that only a module reads. */
    final class NoModule implements RuleReader {

        @Override
        public List<Rule> read(RequiresApproval annotation) {
            if (!annotation.confirm().isEmpty()) {
                throw new IllegalArgumentException(
                        "confirm needs Holdpoint's module for the people who decide. Add the dependency"
                                + " io.holdpoint:holdpoint-people.");
            }
            return List.of();
        }

        @Override
        public List<Rule> all() {
            return List.of();
        }
    }
}
