package io.holdpoint.internal.gate;

import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.Set;

/**
 * The parts that an answer may have besides approving and denying. Immutable.
 *
 * @param editable the parameters that the answer may change; empty if it may not edit at all
 * @param respond whether the answer may give the result in place of the tool
 */
record AnswerOptions(Optional<Set<String>> editable, boolean respond) {

    /** The parts that both take. */
    AnswerOptions and(AnswerOptions other) {
        return new AnswerOptions(
                editable.flatMap(ours -> other.editable.flatMap(theirs -> common(ours, theirs))),
                respond && other.respond);
    }

    /** A tool without parameters stays editable: nothing is left out. */
    private static Optional<Set<String>> common(Set<String> ours, Set<String> theirs) {
        Set<String> common = new LinkedHashSet<>(ours);
        common.retainAll(theirs);
        return common.isEmpty() && !ours.isEmpty() ? Optional.empty() : Optional.of(common);
    }
}
