package io.holdpoint;

import dev.langchain4j.agent.tool.ToolSpecification;
import io.holdpoint.store.Grant;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Pattern;

/**
 * Requires approval of tools that nobody annotated: from a tool provider, an MCP server, or built by hand. Several policies
 * and an annotation may apply to one tool: then the strictest counts. A policy can only tighten what an annotation says.
 *
 * <pre>{@code
 * ToolPolicy.named("delete_file").message("Delete {{path}}?").editable(false)
 * ToolPolicy.matching(Pattern.compile("(write|delete)_.*"))
 * ToolPolicy.where(tool -> Boolean.TRUE.equals(tool.metadata().get("destructiveHint")))
 * }</pre>
 *
 * <p>Immutable; the methods give a new policy.
 *
 * @param description for error messages
 * @param toolName the one tool it is for, if it names one
 * @param tools which tools it is for
 * @param condition decides per call
 * @param message what the person is asked, see {@link RequiresApproval#message()}; empty for the default
 * @param isEditable whether the arguments may be edited
 * @param expiry how long the interrupt may be answered, if limited
 * @param remembered which calls an approval may be remembered for, see {@link RequiresApproval#remember()}
 * @param rememberedFor the longest time that it is remembered
 * @param isDestructive whether the tools destroy what cannot be brought back, see {@link RequiresApproval#destructive()}
 */
public record ToolPolicy(
        String description,
        Optional<String> toolName,
        Predicate<ToolSpecification> tools,
        ApprovalCondition condition,
        String message,
        boolean isEditable,
        Optional<Duration> expiry,
        Set<Grant.Scope> remembered,
        Duration rememberedFor,
        boolean isDestructive) {

    /** Copies the set. */
    public ToolPolicy {
        remembered = Set.copyOf(remembered);
    }

    /**
     * For one tool.
     *
     * @param toolName as the model sees it
     * @return the policy
     */
    public static ToolPolicy named(String toolName) {
        return of("\"" + toolName + "\"", Optional.of(toolName), tool -> tool.name()
                .equals(toolName));
    }

    /**
     * For all tools of which the whole name matches.
     *
     * @param toolNames a regular expression
     * @return the policy
     */
    public static ToolPolicy matching(Pattern toolNames) {
        return of("/" + toolNames + "/", Optional.empty(), tool -> toolNames
                .matcher(tool.name())
                .matches());
    }

    /**
     * For all tools that are as said. A predicate that throws includes the tool.
     *
     * @param tools looks at the tool as the model sees it
     * @return the policy
     */
    public static ToolPolicy where(Predicate<ToolSpecification> tools) {
        return of("a predicate", Optional.empty(), tools);
    }

    private static ToolPolicy of(String description, Optional<String> name, Predicate<ToolSpecification> tools) {
        return new ToolPolicy(
                description,
                name,
                tools,
                new ApprovalCondition.Always(),
                "",
                true,
                Optional.empty(),
                Set.of(),
                Duration.ZERO,
                false);
    }

    /**
     * Decides per call.
     *
     * @param decides by default every call needs approval
     * @return the policy with it
     */
    public ToolPolicy when(ApprovalCondition decides) {
        return new ToolPolicy(
                description,
                toolName,
                tools,
                decides,
                message,
                isEditable,
                expiry,
                remembered,
                rememberedFor,
                isDestructive);
    }

    /**
     * What the person is asked.
     *
     * @param template see {@link RequiresApproval#message()}
     * @return the policy with it
     */
    public ToolPolicy message(String template) {
        return new ToolPolicy(
                description,
                toolName,
                tools,
                condition,
                template,
                isEditable,
                expiry,
                remembered,
                rememberedFor,
                isDestructive);
    }

    /**
     * Whether the arguments may be edited.
     *
     * @param mayEdit {@code true} by default
     * @return the policy with it
     */
    public ToolPolicy editable(boolean mayEdit) {
        return new ToolPolicy(
                description,
                toolName,
                tools,
                condition,
                message,
                mayEdit,
                expiry,
                remembered,
                rememberedFor,
                isDestructive);
    }

    /**
     * How long the interrupt may be answered.
     *
     * @param duration longer than zero and at most 100 years; by default it does not expire
     * @return the policy with it
     */
    public ToolPolicy expiresAfter(Duration duration) {
        return new ToolPolicy(
                description,
                toolName,
                tools,
                condition,
                message,
                isEditable,
                Optional.of(duration),
                remembered,
                rememberedFor,
                isDestructive);
    }

    /**
     * Allows approvals to be remembered. Of several policies and an annotation that ask about a call, all must allow it.
     *
     * @param longest a whole number of minutes, at least one and at most 30 days
     * @param scopes for which calls, see {@link RequiresApproval#remember()}; at least one
     * @return the policy with it. It takes no effect for tools that are marked destructive otherwise
     * @throws IllegalArgumentException if no scope is given
     */
    public ToolPolicy remember(Duration longest, Grant.Scope... scopes) {
        if (scopes.length == 0) {
            throw new IllegalArgumentException("for which calls is an approval to be remembered?");
        }
        return new ToolPolicy(
                description,
                toolName,
                tools,
                condition,
                message,
                isEditable,
                expiry,
                Set.of(scopes),
                longest,
                isDestructive);
    }

    /**
     * Marks tools that destroy what cannot be brought back: their approvals are never remembered.
     *
     * @return the policy with it
     */
    public ToolPolicy destructive() {
        return new ToolPolicy(
                description, toolName, tools, condition, message, isEditable, expiry, remembered, rememberedFor, true);
    }
}
