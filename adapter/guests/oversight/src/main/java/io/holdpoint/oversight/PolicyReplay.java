package io.holdpoint.oversight;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.langchain4j.agent.tool.ToolSpecification;
import io.holdpoint.ApprovalVerdict;
import io.holdpoint.Caller;
import io.holdpoint.ProposedCall;
import io.holdpoint.ToolPolicy;
import io.holdpoint.internal.gate.GatedTool;
import io.holdpoint.internal.gate.PolicySettings;
import io.holdpoint.internal.gate.ToolArguments;
import io.holdpoint.internal.gate.UnknownRoles;
import io.holdpoint.internal.journal.Audit;
import io.holdpoint.store.AuditEvent;
import io.holdpoint.store.Store;
import io.holdpoint.store.Store.Fed;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Says what policies would have made of the calls that models have proposed: {@code PolicyReplay.of(store, "support").with(policies)
 * .since(from)}. It reads the audit trail and changes nothing. Only these policies are asked, about the tools that they are for; the policies
 * of then show in what was done. An annotation counts with them: a policy does not loosen it. Conditions see the owner of the thread, a tool
 * without description, and no roles: one that reads {@link Caller#roles} fails here. Immutable.
 */
public final class PolicyReplay {

    private static final int PAGE = 500;

    private final Store store;
    private final String agent;
    private final List<PolicySettings> policies;

    /** A verdict on a call. */
    public enum Verdict {
        /** The call runs unasked. */
        RUNS,
        /** A person is asked, or was asked before and is remembered. */
        ASKS,
        /** The call is refused, and no person is asked; of what was, also because its arguments did not fit. */
        DENIES
    }

    /** A call on which the policies have another verdict. */
    public record Change(String threadId, String toolCallId, String toolName, Verdict was, Verdict wouldBe) {

        private Change would(Verdict other) {
            return new Change(threadId, toolCallId, toolName, was, other);
        }
    }

    /**
     * The outcome.
     *
     * @param calls that were proposed
     * @param unreplayable how many of them nothing is said about: their arguments were redacted or their thread was removed, a policy chooses its
     *     tools by more than their name, a condition failed, or an annotation with a condition, or the tool of
     *     a provider, leaves open whether the call would be asked about as it was
     * @param changes oldest first
     */
    public record Result(int calls, int unreplayable, List<Change> changes) {}

    private PolicyReplay(Store store, String agent, List<PolicySettings> policies) {
        this.store = store;
        this.agent = agent;
        this.policies = policies;
    }

    /** Begins a replay of the calls of the agent of that name, which is empty for one without a name. */
    public static PolicyReplay of(Store store, String agent) {
        return new PolicyReplay(store, agent, List.of());
    }

    /** Sets the policies. */
    public PolicyReplay with(ToolPolicy... tried) {
        return new PolicyReplay(
                store, agent, List.of(tried).stream().map(PolicySettings::of).toList());
    }

    /** Goes through the calls that were proposed since then. */
    public Result since(Instant from) {
        Reading reading = new Reading();
        List<Fed> page = store.feed(agent, 0, PAGE);
        while (!page.isEmpty()) {
            page.forEach(fed -> reading.read(fed.event(), from));
            page = store.feed(agent, page.get(page.size() - 1).position(), PAGE);
        }
        return reading.result();
    }

    private String outside(AuditEvent event) {
        return event.threadId().startsWith(Store.threadOf(agent, ""))
                ? event.threadId().substring(Store.threadOf(agent, "").length())
                : event.threadId();
    }

    /** A call of a tool that a policy names, with what its annotation says; empty if that is not known. */
    private record Compared(Change change, Optional<GatedTool.Asks> annotated) {

        /** The annotation counts whatever policies say; empty if what it says of this call is not known. */
        Optional<Change> result() {
            GatedTool.Asks asks = annotated.orElse(GatedTool.Asks.BY_CONDITION);
            Verdict least = asks == GatedTool.Asks.ALWAYS ? Verdict.ASKS : Verdict.RUNS;
            if (asks == GatedTool.Asks.BY_CONDITION && change.was().compareTo(change.wouldBe()) > 0) {
                return Optional.empty();
            }
            return Optional.of(change.wouldBe().compareTo(least) < 0 ? change.would(least) : change);
        }
    }

    /** The state of reading a trail. */
    private final class Reading {

        private final Map<List<String>, Compared> calls = new LinkedHashMap<>();
        private final Set<List<String>> entered = new HashSet<>();
        private final Map<String, Optional<String>> owners = new HashMap<>();
        private final Map<String, GatedTool.Asks> annotated = new HashMap<>();
        private int proposed;
        private int unreplayable;

        void read(AuditEvent event, Instant from) {
            List<String> key = List.of(event.threadId(), event.toolCallId().orElse(""));
            switch (event.kind()) {
                case BUILT, PROVIDED -> knows(event.detail());
                case PROPOSED -> {
                    if (!event.at().isBefore(from)) {
                        proposed++;
                        propose(event, key);
                    }
                }
                case CLAIMED -> entered.add(key); // what is asked from then on is something else
                default -> {
                    if (!entered.contains(key)) {
                        calls.computeIfPresent(key, (same, call) -> then(call, event));
                    }
                }
            }
        }

        private void propose(AuditEvent event, List<String> key) {
            String name = event.toolName().orElse("");
            ToolSpecification tool = ToolSpecification.builder().name(name).build();
            if (policies.stream().noneMatch(policy -> policy.choosesByMoreThanName() || policy.tools.test(tool))) {
                return; // as it was
            }
            Optional<Verdict> verdict = verdict(event, tool);
            if (verdict.isEmpty()) {
                unreplayable++;
                return;
            }
            Change change = new Change(outside(event), key.get(1), name, Verdict.RUNS, verdict.get());
            calls.put(key, new Compared(change, Optional.ofNullable(annotated.get(name))));
        }

        private void knows(JsonNode tools) {
            for (GatedTool.Asks asks : GatedTool.Asks.values()) {
                tools.path(Audit.name(asks))
                        .fieldNames()
                        .forEachRemaining(name -> annotated.put(name, GatedTool.Asks.NEVER));
            }
            for (GatedTool.Asks asks : GatedTool.Asks.values()) {
                tools.path(Audit.ANNOTATED).properties().stream()
                        .filter(tool -> tool.getValue().asText().equals(Audit.name(asks)))
                        .forEach(tool -> annotated.put(tool.getKey(), asks));
            }
        }

        /** Empty if that cannot be said. */
        private Optional<Verdict> verdict(AuditEvent event, ToolSpecification tool) {
            ObjectNode detail = event.detail();
            Optional<String> owner = owners.computeIfAbsent(
                    event.threadId(), id -> store.head(id).map(Store.ThreadHead::owner));
            if (owner.isEmpty()
                    || !(detail.get("arguments") instanceof ObjectNode arguments)
                    || !ToolArguments.sha256(ToolArguments.write(ToolArguments.canonical(arguments)))
                            .equals(detail.path("argumentsSha256").asText())) {
                return Optional.empty(); // removed or redacted
            }
            Verdict strictest = Verdict.RUNS;
            for (PolicySettings policy : policies) {
                if (policy.choosesByMoreThanName()) {
                    return Optional.empty();
                }
                if (!policy.tools.test(tool)) {
                    continue;
                }
                try {
                    ProposedCall call = new ProposedCall(
                            tool,
                            arguments.deepCopy(),
                            new Caller(owner.get(), UnknownRoles.roles()),
                            outside(event),
                            event.runId(),
                            event.toolCallId().orElse(""));
                    Verdict verdict = PolicyReplay.verdict(policy.condition.evaluate(call));
                    strictest = verdict.compareTo(strictest) > 0 ? verdict : strictest;
                } catch (Throwable e) { // a missing class too: the other calls are replayed all the same
                    return Optional.empty(); // the condition needs what is not kept
                }
            }
            return Optional.of(strictest);
        }

        /** The event that followed says what the verdict was. */
        private Compared then(Compared call, AuditEvent event) {
            Change change = call.change();
            Verdict was =
                    switch (event.kind()) {
                        case HELD ->
                            event.detail().path("reason").asText().equals("tool_call") ? Verdict.ASKS : change.was();
                        case ALLOWED -> event.detail().has("grant") ? Verdict.ASKS : change.was();
                        case NOT_EXECUTED -> event.detail().has(Audit.REFUSED) ? Verdict.DENIES : change.was();
                        default -> change.was();
                    };
            return new Compared(
                    new Change(change.threadId(), change.toolCallId(), change.toolName(), was, change.wouldBe()),
                    call.annotated());
        }

        Result result() {
            List<Change> changes = new ArrayList<>();
            for (Compared call : calls.values()) {
                Optional<Change> result = call.result();
                unreplayable += result.isEmpty() ? 1 : 0;
                result.filter(change -> change.was() != change.wouldBe()).ifPresent(changes::add);
            }
            return new Result(proposed, unreplayable, List.copyOf(changes));
        }
    }

    private static Verdict verdict(ApprovalVerdict verdict) {
        if (verdict instanceof ApprovalVerdict.Deny) {
            return Verdict.DENIES;
        }
        return verdict instanceof ApprovalVerdict.RequireApproval ? Verdict.ASKS : Verdict.RUNS;
    }
}
