package io.holdpoint.internal.gate;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.langchain4j.agent.tool.ToolSpecification;
import io.holdpoint.store.Question;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * All policies that apply to a tool, and the schemas of the answers. Of several verdicts the strictest counts: denied before
 * asked before allowed. Thread-safe.
 */
public final class ToolPolicies {

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

    /** The same, of a tool whose arguments nobody may edit. */
    ToolPolicies withoutEdits() {
        return new ToolPolicies(
                tool, arguments, policies.stream().map(Policy::withoutEdits).toList(), destructive);
    }

    /**
     * How to ask.
     *
     * @param kind what an answer is for
     * @param reason as the client sees it
     * @param message the sentence
     * @param responseSchema what an answer must look like; shared, not to be changed
     * @param preview what is shown besides the arguments, if anything
     * @param expiresAfter how long the question may be answered, if limited
     */
    public record Asking(
            Question.Kind kind,
            String reason,
            MessageTemplate message,
            ObjectNode responseSchema,
            Optional<Preview> preview,
            Optional<Duration> expiresAfter) {}

    /** The schema of edited arguments, of what everybody who may be asked lets be edited. */
    Optional<ObjectNode> editedArgs() {
        return options(policies)
                .map(AnswerOptions::editable)
                .orElseGet(() -> Optional.of(ToolSchemas.parameterNames(tool)))
                .flatMap(editable -> ToolSchemas.editedArgs(tool, arguments, editable));
    }

    private static Optional<AnswerOptions> options(List<Policy> asking) {
        return asking.stream().map(Policy::options).reduce(AnswerOptions::and);
    }

    /** Whether nobody is ever asked about the tool, and nothing of it denied. */
    boolean isEmpty() {
        return policies.isEmpty();
    }

    boolean idempotent() {
        return policies.stream().anyMatch(Policy::idempotent);
    }

    List<Policy> all() {
        return policies;
    }

    /**
     * The first sentence and preview, the shortest time, and of an answer only what everybody who asks takes, memory
     * included.
     */
    Asking together(List<Policy> asking) {
        AnswerOptions options = options(asking).orElseThrow();
        return new Asking(
                Question.Kind.APPROVAL,
                "tool_call",
                asking.get(0).message(),
                remembering(asking)
                        .addedTo(schemas.computeIfAbsent(
                                options, allowed -> ToolSchemas.approval(tool, arguments, allowed))),
                asking.stream().flatMap(policy -> policy.preview().stream()).findFirst(),
                asking.stream()
                        .flatMap(policy -> policy.expiresAfter().stream())
                        .min(Duration::compareTo));
    }

    private Remembering remembering(List<Policy> asking) {
        return destructive
                ? Remembering.NEVER
                : asking.stream()
                        .map(Policy::remembering)
                        .reduce(Remembering::and)
                        .orElse(Remembering.NEVER);
    }
}
