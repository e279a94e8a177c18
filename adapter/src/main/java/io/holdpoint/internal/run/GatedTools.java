package io.holdpoint.internal.run;

import dev.langchain4j.agent.tool.ToolSpecification;
import dev.langchain4j.service.tool.ToolExecutor;
import io.holdpoint.internal.gate.ApprovalPolicies;
import io.holdpoint.internal.gate.Gate;
import io.holdpoint.internal.gate.GatedTool;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/** The tools that one turn can call, as the gate knows them. Thread-safe. */
final class GatedTools {

    private final Map<String, GatedTool> byName = new ConcurrentHashMap<>();
    private final ApprovalPolicies policies;
    private final Gate gate;

    GatedTools(ApprovalPolicies policies, Gate gate) {
        this.policies = policies;
        this.gate = gate;
    }

    Gate gate() {
        return gate;
    }

    ApprovalPolicies policies() {
        return policies;
    }

    void add(ToolSpecification specification, ToolExecutor executor) {
        byName.put(specification.name(), policies.of(specification, executor));
    }

    Optional<GatedTool> find(String toolName) {
        return Optional.ofNullable(toolName).map(byName::get);
    }

    boolean anyNeedsApproval() {
        return byName.values().stream().anyMatch(tool -> tool.approval().isPresent());
    }
}
