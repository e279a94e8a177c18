package io.holdpoint.internal.gate;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.langchain4j.agent.tool.ToolSpecification;
import io.holdpoint.ApprovalVerdict;
import io.holdpoint.ProposedCall;
import io.holdpoint.agui.AguiCodec;
import io.holdpoint.store.Question;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * All policies that apply to a tool, and the schemas of the answers. Of several verdicts the strictest counts: denied before
 * asked before allowed. Immutable.
 */
public final class Approvals {

    private static final ObjectNode NONE = AguiCodec.mapper().createObjectNode();

    private final ToolSpecification tool;
    private final ObjectNode defaults;
    private final List<ApprovalPolicy> policies;
    private final ObjectNode schema;
    private final ObjectNode schemaWithEdits;
    private final boolean destructive;

    Approvals(ToolSpecification tool, ObjectNode defaults, List<ApprovalPolicy> policies) {
        this(tool, defaults, policies, Remembering.isDestructive(tool));
    }

    private Approvals(ToolSpecification tool, ObjectNode defaults, List<ApprovalPolicy> policies, boolean destructive) {
        this.tool = tool;
        this.defaults = defaults;
        this.policies = List.copyOf(policies);
        this.destructive = destructive || policies.stream().anyMatch(ApprovalPolicy::destructive);
        boolean used = !policies.isEmpty();
        this.schema = used ? ToolSchemas.approval(tool, defaults, false) : NONE;
        this.schemaWithEdits = used ? ToolSchemas.approval(tool, defaults, true) : NONE;
    }

    Approvals and(Approvals other) {
        List<ApprovalPolicy> all = new ArrayList<>(policies);
        all.addAll(other.policies);
        return new Approvals(tool, defaults, all, destructive || other.destructive);
    }

    /**
     * How to ask.
     *
     * @param kind what an answer is for
     * @param reason as the client sees it
     * @param message the sentence
     * @param responseSchema what an answer must look like; shared, not to be changed
     * @param expiresAfter how long the question may be answered, if limited
     */
    public record Asking(
            Question.Kind kind,
            String reason,
            MessageTemplate message,
            ObjectNode responseSchema,
            Optional<Duration> expiresAfter) {}

    /** The schema of edited arguments, if everybody who may be asked lets them be edited. */
    Optional<ObjectNode> editedArgs() {
        boolean editable = policies.stream().allMatch(ApprovalPolicy::editable);
        return editable ? ToolSchemas.editedArgs(tool, defaults) : Optional.empty();
    }

    /** Whether nobody is ever asked about the tool, and nothing of it denied. */
    boolean isEmpty() {
        return policies.isEmpty();
    }

    boolean idempotent() {
        return policies.stream().anyMatch(ApprovalPolicy::idempotent);
    }

    /** Decides about a call, taking every case into account. */
    <T> T decide(ProposedCall call, Supplier<T> allowed, Function<Asking, T> asked, Function<String, T> denied) {
        List<ApprovalPolicy> asking = new ArrayList<>();
        for (ApprovalPolicy policy : policies) {
            ApprovalVerdict verdict = policy.evaluate(copy(call));
            if (verdict instanceof ApprovalVerdict.Deny deny) {
                return denied.apply(deny.reason());
            }
            if (verdict instanceof ApprovalVerdict.RequireApproval) {
                asking.add(policy);
            }
        }
        return asking.isEmpty() ? allowed.get() : asked.apply(together(asking));
    }

    /** The first sentence, the shortest time, and edits and memory only if everybody who asks takes them. */
    private Asking together(List<ApprovalPolicy> asking) {
        boolean editable = asking.stream().allMatch(ApprovalPolicy::editable);
        return new Asking(
                Question.Kind.APPROVAL,
                "tool_call",
                asking.get(0).message(),
                remembering(asking).addedTo(editable ? schemaWithEdits : schema),
                asking.stream()
                        .flatMap(policy -> policy.expiresAfter().stream())
                        .min(Duration::compareTo));
    }

    private Remembering remembering(List<ApprovalPolicy> asking) {
        return destructive
                ? Remembering.NEVER
                : asking.stream()
                        .map(ApprovalPolicy::remembering)
                        .reduce(Remembering::and)
                        .orElse(Remembering.NEVER);
    }

    /** No condition changes what the next one sees, or what runs. */
    private static ProposedCall copy(ProposedCall call) {
        return new ProposedCall(
                call.tool(),
                call.arguments().deepCopy(),
                call.caller(),
                call.threadId(),
                call.runId(),
                call.toolCallId());
    }
}
