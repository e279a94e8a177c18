package io.holdpoint.internal.gate;

import dev.langchain4j.agent.tool.ToolSpecification;
import io.holdpoint.ApprovalCondition;
import io.holdpoint.ApprovalPreview;
import io.holdpoint.Approvals;
import io.holdpoint.RequiresApproval;
import io.holdpoint.Timeline;
import io.holdpoint.ToolPolicy;
import io.holdpoint.store.Grant;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/**
 * The settings of a {@link ToolPolicy}, which explains them. Only the policy writes the fields, before it hands the settings out,
 * which an architecture test checks.
 */
public final class PolicySettings implements Cloneable {

    /** The tools that the policy is for, in words: a quoted name, a pattern between slashes, or "a predicate". */
    public final String description;

    public final Optional<String> toolName;
    public final Predicate<ToolSpecification> tools;
    public ApprovalCondition condition = new ApprovalCondition.Always();
    public String message = "";
    public List<String> editable = List.of(RequiresApproval.ALL);
    public boolean respond;
    public Optional<ApprovalPreview> preview = Optional.empty();
    public Optional<Timeline> timeline = Optional.empty();
    public Set<Grant.Scope> remember = Set.of();
    public Duration rememberFor = Duration.ZERO;
    public Approvals approvals = Voices.ONE;
    public boolean destructive;
    public boolean idempotent;
    public boolean asksOnFailure;

    public PolicySettings(String description, Optional<String> toolName, Predicate<ToolSpecification> tools) {
        this.description = description;
        this.toolName = toolName;
        this.tools = tools;
    }

    @Override
    public PolicySettings clone() {
        try {
            return (PolicySettings) super.clone();
        } catch (CloneNotSupportedException e) {
            throw new AssertionError(e);
        }
    }
}
