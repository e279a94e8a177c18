package io.holdpoint.internal.gate;

import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.Set;

/**
 * What an answer may do besides approving and denying. Immutable.
 *
 * @param editable the parameters that it may change; empty if none, and there is nothing to be edited then
 * @param respond whether it may give the result in place of the tool
 */
record AnswerOptions(Optional<Set<String>> editable, boolean respond) {

    /** What both take. */
    AnswerOptions and(AnswerOptions other) {
        return new AnswerOptions(
                editable.flatMap(ours -> other.editable.flatMap(theirs -> common(ours, theirs))),
                respond && other.respond);
    }

    /** Of a tool without parameters nothing is left out. */
    private static Optional<Set<String>> common(Set<String> ours, Set<String> theirs) {
        Set<String> common = new LinkedHashSet<>(ours);
        common.retainAll(theirs);
        return common.isEmpty() && !ours.isEmpty() ? Optional.empty() : Optional.of(common);
    }
}
