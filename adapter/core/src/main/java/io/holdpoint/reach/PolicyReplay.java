package io.holdpoint.reach;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.langchain4j.agent.tool.ToolSpecification;
import io.holdpoint.ApprovalVerdict;
import io.holdpoint.Caller;
import io.holdpoint.ProposedCall;
import io.holdpoint.ToolPolicy;
import io.holdpoint.internal.gate.PolicySettings;
import io.holdpoint.internal.gate.ToolArguments;
import io.holdpoint.store.AuditEvent;
import io.holdpoint.store.Store;
import io.holdpoint.store.Store.Fed;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Says what policies would have made of the calls that models have proposed: {@code PolicyReplay.of(store, "support").with(policies)
 * .since(from)}. It reads the audit trail and changes nothing. Only these policies are asked: those of then, and annotations, show in what
 * was done. The trail has the name of a tool, the arguments and the caller's id: conditions see a caller without roles and a tool without
 * description. Immutable.
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
    public record Change(String threadId, String toolCallId, String toolName, Verdict was, Verdict wouldBe) {}

    /**
     * The outcome.
     *
     * @param calls that were proposed
     * @param unreplayable how many of them nothing is said about: their arguments were redacted, a policy chooses its tools by more than
     *     their name, or a condition failed
     * @param changes oldest first
     */
    public record Result(int calls, int unreplayable, List<Change> changes) {}

    private PolicyReplay(Store store, String agent, List<PolicySettings> policies) {
        this.store = store;
        this.agent = agent;
        this.policies = policies;
    }

    /**
     * Begins a replay.
     *
     * @param agent its name, empty for one without a name
     */
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
        Map<List<String>, Change> calls = new LinkedHashMap<>();
        int unreplayable = 0;
        int proposed = 0;
        long after = 0;
        List<Fed> page = store.feed(agent, after, PAGE);
        while (!page.isEmpty()) {
            for (Fed fed : page) {
                AuditEvent event = fed.event();
                List<String> key = List.of(event.threadId(), event.toolCallId().orElse(""));
                if (event.kind() == AuditEvent.Kind.PROPOSED && !event.at().isBefore(from)) {
                    proposed++;
                    Optional<Verdict> verdict = verdict(event);
                    unreplayable += verdict.isEmpty() ? 1 : 0;
                    verdict.ifPresent(would -> calls.put(key, change(event, would)));
                } else {
                    calls.computeIfPresent(key, (same, call) -> then(call, event));
                }
            }
            after = page.get(page.size() - 1).position();
            page = store.feed(agent, after, PAGE);
        }
        List<Change> changes = calls.values().stream()
                .filter(call -> call.was() != call.wouldBe())
                .toList();
        return new Result(proposed, unreplayable, changes);
    }

    private Change change(AuditEvent event, Verdict would) {
        return new Change(
                outside(event), event.toolCallId().orElse(""), event.toolName().orElse(""), Verdict.RUNS, would);
    }

    private String outside(AuditEvent event) {
        return event.threadId().startsWith(Store.threadOf(agent, ""))
                ? event.threadId().substring(Store.threadOf(agent, "").length())
                : event.threadId();
    }

    /** The event that followed says what the verdict was: a call that is refused without a question was denied. */
    private static Change then(Change call, AuditEvent event) {
        Verdict was =
                switch (event.kind()) {
                    case HELD -> event.detail().path("reason").asText().equals("tool_call") ? Verdict.ASKS : call.was();
                    case ALLOWED -> event.detail().has("grant") ? Verdict.ASKS : call.was();
                    case NOT_EXECUTED -> call.was() == Verdict.RUNS ? Verdict.DENIES : call.was();
                    default -> call.was();
                };
        return new Change(call.threadId(), call.toolCallId(), call.toolName(), was, call.wouldBe());
    }

    /** Empty if that cannot be said. */
    private Optional<Verdict> verdict(AuditEvent event) {
        ObjectNode detail = event.detail();
        if (!(detail.get("arguments") instanceof ObjectNode arguments)
                || !ToolArguments.sha256(ToolArguments.write(ToolArguments.canonical(arguments)))
                        .equals(detail.path("argumentsSha256").asText())) {
            return Optional.empty(); // redacted
        }
        ToolSpecification tool =
                ToolSpecification.builder().name(event.toolName().orElse("")).build();
        Verdict strictest = Verdict.RUNS;
        for (PolicySettings policy : policies) {
            if (policy.choosesByMoreThanName()) {
                return Optional.empty();
            }
            try {
                ProposedCall call = new ProposedCall(
                        tool,
                        arguments.deepCopy(),
                        Caller.of(event.caller()),
                        outside(event),
                        event.runId(),
                        event.toolCallId().orElse(""));
                Verdict verdict = policy.tools.test(tool) ? verdict(policy.condition.evaluate(call)) : Verdict.RUNS;
                strictest = verdict.compareTo(strictest) > 0 ? verdict : strictest;
            } catch (RuntimeException e) {
                return Optional.empty(); // the condition needs what is not kept
            }
        }
        return Optional.of(strictest);
    }

    private static Verdict verdict(ApprovalVerdict verdict) {
        if (verdict instanceof ApprovalVerdict.Deny) {
            return Verdict.DENIES;
        }
        return verdict instanceof ApprovalVerdict.RequireApproval ? Verdict.ASKS : Verdict.RUNS;
    }
}
