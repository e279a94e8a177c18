package io.holdpoint;

import dev.langchain4j.agent.tool.ToolSpecification;
import io.holdpoint.store.Grant;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.regex.Pattern;

/**
 * Says of tools what {@link RequiresApproval} says of annotated methods, and more: for tools from a tool provider, an MCP server,
 * or built by hand, and for annotated ones. Requires approval of every call unless {@link #when} or {@link #withoutApproval} say
 * otherwise. Several policies and an annotation may apply to one tool: then the strictest counts. A policy can only tighten
 * what an annotation says.
 *
 * <pre>{@code
 * ToolPolicy.named("delete_file").message("Delete {{path}}?").editable()
 * ToolPolicy.named("refresh").withoutApproval().idempotent()
 * ToolPolicy.matching(Pattern.compile("(write|delete)_.*"))
 * ToolPolicy.where(tool -> Boolean.TRUE.equals(tool.metadata().get("destructiveHint")))
 * }</pre>
 *
 * <p>Immutable; the methods give a new policy.
 */
public final class ToolPolicy {

    private final String description;
    private final Optional<String> toolName;
    private final Predicate<ToolSpecification> tools;
    private ApprovalCondition condition = new ApprovalCondition.Always();
    private String message = "";
    private List<String> editable = List.of(RequiresApproval.ALL);
    private boolean responds;
    private Optional<ApprovalPreview> previewed = Optional.empty();
    private Optional<Duration> expiry = Optional.empty();
    private Set<Grant.Scope> remembered = Set.of();
    private Duration rememberedFor = Duration.ZERO;
    private boolean isDestructive;
    private boolean isIdempotent;
    private boolean asksOnFailure;

    private ToolPolicy(String description, Optional<String> toolName, Predicate<ToolSpecification> tools) {
        this.description = description;
        this.toolName = toolName;
        this.tools = tools;
    }

    /** A copy, changed before anybody sees it. */
    private ToolPolicy with(Consumer<ToolPolicy> change) {
        ToolPolicy copy = new ToolPolicy(description, toolName, tools);
        copy.condition = condition;
        copy.message = message;
        copy.editable = editable;
        copy.responds = responds;
        copy.previewed = previewed;
        copy.expiry = expiry;
        copy.remembered = remembered;
        copy.rememberedFor = rememberedFor;
        copy.isDestructive = isDestructive;
        copy.isIdempotent = isIdempotent;
        copy.asksOnFailure = asksOnFailure;
        change.accept(copy);
        return copy;
    }

    /**
     * For one tool.
     *
     * @param toolName as the model sees it
     * @return the policy
     */
    public static ToolPolicy named(String toolName) {
        return new ToolPolicy("\"" + toolName + "\"", Optional.of(toolName), tool -> tool.name()
                .equals(toolName));
    }

    /**
     * For all tools of which the whole name matches.
     *
     * @param toolNames a regular expression
     * @return the policy
     */
    public static ToolPolicy matching(Pattern toolNames) {
        return new ToolPolicy("/" + toolNames + "/", Optional.empty(), tool -> toolNames
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
        return new ToolPolicy("a predicate", Optional.empty(), tools);
    }

    /**
     * Decides per call.
     *
     * @param decides by default every call needs approval
     * @return the policy with it
     */
    public ToolPolicy when(ApprovalCondition decides) {
        return with(policy -> policy.condition = decides);
    }

    /**
     * Requires no approval: for policies that say something else of their tools. An annotation, and other policies, still
     * count.
     *
     * @return the policy with it
     */
    public ToolPolicy withoutApproval() {
        return when(call -> ApprovalVerdict.allow());
    }

    /**
     * Allows the tool to be executed again if the server stopped while it ran, see {@link RequiresApproval#idempotent()}.
     *
     * @return the policy with it
     */
    public ToolPolicy idempotent() {
        return with(policy -> policy.isIdempotent = true);
    }

    /**
     * Asks a person when the tool fails: the run ends with an interrupt of reason {@code langchain4j:tool_error}, and the
     * answer {@code {"action": "retry" | "give_up", "editedArgs"?: {...}, "note"?: "..."}} says whether the tool is tried again.
     * Without it, the failure is the call's result, and the model is told. Edited arguments count as approved: conditions and
     * policies can still deny them, and do not ask again.
     *
     * @return the policy with it
     */
    public ToolPolicy askOnFailure() {
        return with(policy -> policy.asksOnFailure = true);
    }

    /**
     * What the person is asked.
     *
     * @param template see {@link RequiresApproval#message()}
     * @return the policy with it
     */
    public ToolPolicy message(String template) {
        return with(policy -> policy.message = template);
    }

    /**
     * The arguments that the person may change before approving.
     *
     * @param names of parameters; none for no argument at all. By default {@link RequiresApproval#ALL}, see
     *     {@link RequiresApproval#editable()}
     * @return the policy with it
     */
    public ToolPolicy editable(String... names) {
        return with(policy -> policy.editable = List.of(names));
    }

    /**
     * Whether the person may answer in place of the tool. Several policies and an annotation that ask must all say so.
     *
     * @param mayRespond {@code false} by default, see {@link RequiresApproval#respond()}
     * @return the policy with it
     */
    public ToolPolicy respond(boolean mayRespond) {
        return with(policy -> policy.responds = mayRespond);
    }

    /**
     * What the person should see of the call, besides its arguments. Of several that ask, the first one that has a preview
     * counts; an annotation comes first.
     *
     * @param computes by default nothing
     * @return the policy with it
     */
    public ToolPolicy preview(ApprovalPreview computes) {
        return with(policy -> policy.previewed = Optional.of(computes));
    }

    /**
     * How long the interrupt may be answered.
     *
     * @param duration by default it does not expire
     * @return the policy with it
     */
    public ToolPolicy expiresAfter(Duration duration) {
        return with(policy -> policy.expiry = Optional.of(duration));
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
        return with(policy -> {
            policy.remembered = Set.of(scopes);
            policy.rememberedFor = longest;
        });
    }

    /**
     * Marks tools that destroy what cannot be brought back: their approvals are never remembered.
     *
     * @return the policy with it
     */
    public ToolPolicy destructive() {
        return with(policy -> policy.isDestructive = true);
    }

    /**
     * Which tools it is for, for error messages.
     *
     * @return the name in quotation marks, the pattern between slashes, or that it is a predicate
     */
    public String description() {
        return description;
    }

    /**
     * The one tool it is for.
     *
     * @return its name; empty if the policy does not name one
     */
    public Optional<String> toolName() {
        return toolName;
    }

    /**
     * Which tools it is for.
     *
     * @return the predicate
     */
    public Predicate<ToolSpecification> tools() {
        return tools;
    }

    /**
     * What decides per call.
     *
     * @return the condition
     */
    public ApprovalCondition condition() {
        return condition;
    }

    /**
     * What the person is asked.
     *
     * @return the template; empty for the default
     */
    public String message() {
        return message;
    }

    /**
     * The arguments that the person may change.
     *
     * @return names of parameters; {@link RequiresApproval#ALL} by default
     */
    public List<String> editableArguments() {
        return editable;
    }

    /**
     * Whether the tools may be executed again after an attempt of unknown outcome.
     *
     * @return {@code false} by default
     */
    public boolean isIdempotent() {
        return isIdempotent;
    }

    /**
     * Whether a person is asked when the tools fail.
     *
     * @return {@code false} by default
     */
    public boolean asksOnFailure() {
        return asksOnFailure;
    }

    /**
     * Whether the person may answer in place of the tool.
     *
     * @return {@code false} by default
     */
    public boolean responds() {
        return responds;
    }

    /**
     * What the person sees besides the arguments.
     *
     * @return empty by default
     */
    public Optional<ApprovalPreview> previewed() {
        return previewed;
    }

    /**
     * How long the interrupt may be answered.
     *
     * @return empty if it does not expire
     */
    public Optional<Duration> expiry() {
        return expiry;
    }

    /**
     * Which calls an approval may be remembered for.
     *
     * @return empty for none
     */
    public Set<Grant.Scope> remembered() {
        return remembered;
    }

    /**
     * The longest time that an approval is remembered.
     *
     * @return zero if none is
     */
    public Duration rememberedFor() {
        return rememberedFor;
    }

    /**
     * Whether the tools destroy what cannot be brought back.
     *
     * @return {@code false} by default
     */
    public boolean isDestructive() {
        return isDestructive;
    }
}
