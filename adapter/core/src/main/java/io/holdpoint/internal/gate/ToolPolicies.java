package io.holdpoint.internal.gate;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.langchain4j.agent.tool.ToolSpecification;
import io.holdpoint.internal.gate.ApprovalForm.Remembering;
import io.holdpoint.internal.gate.GatedTool.QuestionTemplate;
import io.holdpoint.internal.gate.Policy.AnswerOptions;
import io.holdpoint.store.Call.Question;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/** All policies that apply to a tool, and the schemas of the answers that they take. Thread-safe. */
final class ToolPolicies {

    private final ToolSpecification tool;
    private final MethodArguments arguments;
    private final List<Policy> policies;
    private final Map<AnswerOptions, ObjectNode> schemas = new ConcurrentHashMap<>();
    private final boolean destructive;

    ToolPolicies(ToolSpecification tool, MethodArguments arguments, List<Policy> policies) {
        this(tool, arguments, policies, Remembering.isDestructive(tool));
    }

    private ToolPolicies(
            ToolSpecification tool, MethodArguments arguments, List<Policy> policies, boolean destructive) {
        this.tool = tool;
        this.arguments = arguments;
        this.policies = List.copyOf(policies);
        this.destructive = destructive || policies.stream().anyMatch(Policy::destructive);
    }

    ToolPolicies and(ToolPolicies other) {
        List<Policy> all = new ArrayList<>(policies);
        all.addAll(other.policies);
        return new ToolPolicies(tool, arguments, all, destructive || other.destructive);
    }

    /** The same policies without edits. */
    ToolPolicies withoutEdits() {
        return new ToolPolicies(
                tool, arguments, policies.stream().map(Policy::withoutEdits).toList(), destructive);
    }

    /** The schema of edited arguments, with the parameters that all policies let be edited. */
    Optional<ObjectNode> editedArgs() {
        return options(policies)
                .map(AnswerOptions::editable)
                .orElseGet(() -> Optional.of(ToolSchemas.parameterNames(tool)))
                .flatMap(editable -> ToolSchemas.editedArgs(tool, arguments, editable));
    }

    private static Optional<AnswerOptions> options(List<Policy> asking) {
        return asking.stream().map(Policy::options).reduce(AnswerOptions::and);
    }

    /** Without policies, every call may run. */
    boolean isEmpty() {
        return policies.isEmpty();
    }

    boolean idempotent() {
        return policies.stream().anyMatch(Policy::idempotent);
    }

    ToolSpecification tool() {
        return tool;
    }

    List<Policy> all() {
        return policies;
    }

    /**
     * The one question of several policies that ask about a call: the first sentence and preview, the shortest time, and the
     * answers that every one of them takes.
     */
    QuestionTemplate together(List<Policy> asking) {
        AnswerOptions options = options(asking).orElseThrow();
        Remembering remembering =
                destructive ? Remembering.NEVER : asking.get(0).remembering();
        Optional<Preview> preview = Optional.empty();
        Optional<Duration> expiresAfter = Optional.empty();
        for (Policy policy : asking) {
            remembering = remembering.and(policy.remembering());
            preview = preview.or(policy::preview);
            Optional<Duration> other = policy.expiresAfter();
            if (expiresAfter.isEmpty() || other.isPresent() && other.get().compareTo(expiresAfter.get()) < 0) {
                expiresAfter = other;
            }
        }
        ObjectNode approval =
                schemas.computeIfAbsent(options, allowed -> ToolSchemas.approval(tool, arguments, allowed));
        return new QuestionTemplate(
                Question.Kind.APPROVAL,
                "tool_call",
                asking.get(0).message(),
                ApprovalForm.withRemembering(approval, remembering),
                preview,
                expiresAfter);
    }
}
