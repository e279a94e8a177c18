package io.holdpoint.oversight;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.holdpoint.ApprovalVerdict;
import io.holdpoint.ToolPolicy;
import io.holdpoint.oversight.PolicyReplay.Verdict;
import io.holdpoint.store.Store;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Proposes policies that would have asked people less, for somebody to read and paste: {@code PolicySuggestions.of(store,
 * "support").since(from)}. It reads the audit trail and changes nothing; nothing is applied by itself.
 *
 * <p>A suggestion is a bound for the arguments of one tool, in which each call that people were asked about was approved as it was. It
 * rests on at least {@value #MIN_DECISIONS} such approvals by at least {@value #MIN_PEOPLE} people, each of which took the time that reading
 * takes. A number is within those that were approved, and everything else is a value that was approved at least twice, at most {@value
 * #MOST_VALUES} of them; a call with another value, or another argument, is asked about as before. A bound leaves out each call that was
 * ever denied, edited, answered, cancelled, left without an answer or refused. There is none for a tool that was ever irreversible, and none
 * where arguments of such a call were redacted. The same record gives the same suggestions. Immutable.
 */
public final class PolicySuggestions {

    /** The fewest approvals that a suggestion rests on. */
    public static final int MIN_DECISIONS = 20;

    /** The fewest people who gave them. */
    public static final int MIN_PEOPLE = 2;

    /** The most values of an argument in a bound. */
    public static final int MOST_VALUES = 20;

    private final Store store;
    private final String agent;
    private final Set<String> whatever;

    private PolicySuggestions(Store store, String agent, Set<String> whatever) {
        this.store = store;
        this.agent = agent;
        this.whatever = whatever;
    }

    /** Begins suggestions from the decisions about calls of the agent of that name, which is empty for one without a name. */
    public static PolicySuggestions of(Store store, String agent) {
        return new PolicySuggestions(store, agent, Set.of());
    }

    /** Names the arguments that may have any value, such as a comment. By default, each argument needs a bound. */
    public PolicySuggestions whatever(String... arguments) {
        return new PolicySuggestions(store, agent, Set.of(arguments));
    }

    /**
     * A policy, to be put in the place of what asks about its tool now.
     *
     * @param asked how many questions it would have saved: all of them were approved as they were
     * @param people how many gave the approvals that it rests on
     * @param policy Java to paste
     * @param replay of the policy over the calls since then, as if no annotation asked about the tool
     */
    public record Suggestion(String toolName, int asked, int people, String policy, PolicyReplay.Result replay) {

        /** The policy, with comments that say what it rests on and what it would have changed. */
        @Override
        public String toString() {
            long runs = changed(Verdict.RUNS);
            return "// " + asked + " questions about " + AcceptedCalls.literal(toolName) + ", " + asked
                    + " approved as they were, 0 edited, 0 denied, by " + people + " people: would have saved " + asked
                    + " questions\n// replayed over " + replay.calls() + " calls: " + runs + " would have run unasked, "
                    + changed(Verdict.ASKS) + " more would have been asked about, of " + replay.unreplayable()
                    + " nothing can be said\n" + policy;
        }

        private long changed(Verdict to) {
            return replay.changes().stream()
                    .filter(change -> change.wouldBe() == to)
                    .count();
        }
    }

    /** Suggests at most one policy for each tool, by the approvals of calls that were proposed since then, in the order of their names. */
    public List<Suggestion> since(Instant from) {
        SortedMap<String, List<PastCall>> tools = new TreeMap<>();
        PastCall.readAll(store.of(agent), call -> {
            if (call.asked || call.was == Verdict.DENIES) {
                tools.computeIfAbsent(call.tool(), name -> new ArrayList<>()).add(call);
            }
        });
        List<Suggestion> suggestions = new ArrayList<>();
        tools.forEach((tool, calls) -> {
            calls.sort(Comparator.comparingInt(call -> call.number));
            suggest(tool, calls, from).ifPresent(suggestions::add);
        });
        return List.copyOf(suggestions);
    }

    private Optional<Suggestion> suggest(String tool, List<PastCall> calls, Instant from) {
        List<PastCall> approved = new ArrayList<>();
        List<ObjectNode> others = new ArrayList<>();
        for (PastCall call : calls) {
            Optional<ObjectNode> arguments = call.arguments();
            if (call.irreversible) {
                return Optional.empty();
            } else if (call.isApproved()) {
                if (arguments.isPresent() && !call.proposed.at().isBefore(from)) {
                    approved.add(call);
                }
            } else if (arguments.isPresent()) {
                others.add(arguments.get());
            } else if (!call.hasMalformedArguments()) {
                return Optional.empty(); // any bound could cover it
            }
        }
        Optional<AcceptedCalls> found = AcceptedCalls.without(
                others,
                approved.stream()
                        .filter(PastCall::isUnhurried)
                        .map(call -> call.arguments().orElseThrow())
                        .toList(),
                whatever);
        if (found.isEmpty()) {
            return Optional.empty();
        }
        List<PastCall> covered = approved.stream()
                .filter(call -> found.get().cover(call.arguments().orElseThrow()))
                .toList();
        Set<String> people = new HashSet<>();
        covered.stream().filter(PastCall::isUnhurried).forEach(call -> people.addAll(call.deciders()));
        if (people.size() < MIN_PEOPLE) {
            return Optional.empty();
        }
        ToolPolicy policy = ToolPolicy.named(tool)
                .when(call -> ApprovalVerdict.requireApprovalIf(!found.get().cover(call.arguments())));
        PolicyReplay.Result replay = PolicyReplay.of(store, agent)
                .with(policy)
                .inPlaceOfAnnotations()
                .since(from);
        return Optional.of(
                new Suggestion(tool, covered.size(), people.size(), found.get().policyOf(tool), replay));
    }
}
