package io.holdpoint.oversight;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.langchain4j.agent.tool.ToolSpecification;
import io.holdpoint.ApprovalVerdict;
import io.holdpoint.Caller;
import io.holdpoint.ProposedCall;
import io.holdpoint.ToolPolicy;
import io.holdpoint.internal.gate.GatedTool;
import io.holdpoint.internal.gate.PolicySettings;
import io.holdpoint.internal.gate.UnknownRoles;
import io.holdpoint.store.AuditEvent;
import io.holdpoint.store.Store;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Says what policies would have made of the calls that models have proposed: {@code PolicyReplay.of(store, "support").with(policies)
 * .since(from)}. It reads the audit trail and changes nothing. Only these policies are asked, about the tools that they are for; the policies
 * of then show in what was done. An annotation counts with them: a policy does not loosen it. Conditions see the owner of the thread, a tool
 * without description, and no roles: one that reads {@link Caller#roles} fails here. Immutable.
 */
public final class PolicyReplay {

    private final Store store;
    private final List<PolicySettings> policies;
    private final boolean annotationsCount;

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
    public record Change(String threadId, String toolCallId, String toolName, Verdict was, Verdict wouldBe) {}

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

    private PolicyReplay(Store store, List<PolicySettings> policies, boolean annotationsCount) {
        this.store = store;
        this.policies = policies;
        this.annotationsCount = annotationsCount;
    }

    /** Begins a replay of the calls of the agent of that name, which is empty for one without a name. */
    public static PolicyReplay of(Store store, String agent) {
        return new PolicyReplay(store.of(agent), List.of(), true);
    }

    /** Sets the policies. */
    public PolicyReplay with(ToolPolicy... tried) {
        return new PolicyReplay(
                store, List.of(tried).stream().map(PolicySettings::of).toList(), annotationsCount);
    }

    /** Replays as if no annotation asked: the policies stand in their place. */
    PolicyReplay inPlaceOfAnnotations() {
        return new PolicyReplay(store, policies, false);
    }

    /** Goes through the calls that were proposed since then. */
    public Result since(Instant from) {
        Reading reading = new Reading();
        PastCall.readAll(store, call -> {
            if (!call.proposed.at().isBefore(from)) {
                reading.read(call);
            }
        });
        return new Result(reading.proposed, reading.unreplayable, List.copyOf(reading.changes.values()));
    }

    /** The state of reading a trail. */
    private final class Reading {

        private final Map<Integer, Change> changes = new TreeMap<>();
        private final Map<String, Optional<String>> owners = new HashMap<>();
        private int proposed;
        private int unreplayable;

        void read(PastCall call) {
            proposed++;
            ToolSpecification tool =
                    ToolSpecification.builder().name(call.tool()).build();
            if (policies.stream().noneMatch(policy -> policy.choosesByMoreThanName() || policy.tools.test(tool))) {
                return; // as it was
            }
            Optional<Verdict> wouldBe = verdict(call, tool).flatMap(verdict -> withAnnotation(call, verdict));
            unreplayable += wouldBe.isEmpty() ? 1 : 0;
            if (wouldBe.isPresent() && wouldBe.get() != call.was) {
                String threadId = call.proposed.threadId();
                changes.put(call.number, new Change(threadId, call.toolCallId(), call.tool(), call.was, wouldBe.get()));
            }
        }

        /** The annotation counts whatever policies say; empty if what it says of this call is not known. */
        private Optional<Verdict> withAnnotation(PastCall call, Verdict verdict) {
            if (!annotationsCount) {
                return Optional.of(verdict);
            }
            GatedTool.Asks asks = call.annotated.orElse(GatedTool.Asks.BY_CONDITION);
            if (asks == GatedTool.Asks.BY_CONDITION && call.was.compareTo(verdict) > 0) {
                return Optional.empty();
            }
            return Optional.of(asks == GatedTool.Asks.ALWAYS ? stricter(verdict, Verdict.ASKS) : verdict);
        }

        /** Empty if that cannot be said. */
        private Optional<Verdict> verdict(PastCall past, ToolSpecification tool) {
            AuditEvent event = past.proposed;
            Optional<String> owner = owners.computeIfAbsent(
                    event.threadId(), id -> store.head(id).map(Store.ThreadHead::owner));
            Optional<ObjectNode> arguments = past.arguments();
            if (owner.isEmpty() || arguments.isEmpty()) {
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
                            arguments.get().deepCopy(),
                            new Caller(owner.get(), UnknownRoles.roles()),
                            event.threadId(),
                            event.runId(),
                            past.toolCallId());
                    strictest = stricter(strictest, PolicyReplay.verdict(policy.condition.evaluate(call)));
                } catch (Throwable e) { // a missing class too: the other calls are replayed all the same
                    return Optional.empty(); // the condition needs what is not kept
                }
            }
            return Optional.of(strictest);
        }
    }

    private static Verdict stricter(Verdict one, Verdict other) {
        return one.compareTo(other) > 0 ? one : other;
    }

    private static Verdict verdict(ApprovalVerdict verdict) {
        if (verdict instanceof ApprovalVerdict.Deny) {
            return Verdict.DENIES;
        }
        return verdict instanceof ApprovalVerdict.RequireApproval ? Verdict.ASKS : Verdict.RUNS;
    }
}
