package io.holdpoint;

import dev.langchain4j.agent.tool.ToolSpecification;
import java.time.Duration;
import java.util.Optional;
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
 */
public record ToolPolicy(
        String description,
        Optional<String> toolName,
        Predicate<ToolSpecification> tools,
        ApprovalCondition condition,
        String message,
        boolean isEditable,
        Optional<Duration> expiry) {

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
        return new ToolPolicy(description, name, tools, new ApprovalCondition.Always(), "", true, Optional.empty());
    }

    /**
     * Decides per call.
     *
     * @param decides by default every call needs approval
     * @return the policy with it
     */
    public ToolPolicy when(ApprovalCondition decides) {
        return new ToolPolicy(description, toolName, tools, decides, message, isEditable, expiry);
    }

    /**
     * What the person is asked.
     *
     * @param template see {@link RequiresApproval#message()}
     * @return the policy with it
     */
    public ToolPolicy message(String template) {
        return new ToolPolicy(description, toolName, tools, condition, template, isEditable, expiry);
    }

    /**
     * Whether the arguments may be edited.
     *
     * @param mayEdit {@code true} by default
     * @return the policy with it
     */
    public ToolPolicy editable(boolean mayEdit) {
        return new ToolPolicy(description, toolName, tools, condition, message, mayEdit, expiry);
    }

    /**
     * How long the interrupt may be answered.
     *
     * @param duration longer than zero and at most 100 years; by default it does not expire
     * @return the policy with it
     */
    public ToolPolicy expiresAfter(Duration duration) {
        return new ToolPolicy(description, toolName, tools, condition, message, isEditable, Optional.of(duration));
    }
}
