package io.holdpoint;

import dev.langchain4j.agent.tool.ToolSpecification;
import io.holdpoint.internal.gate.PolicySettings;
import io.holdpoint.rule.Rule;
import io.holdpoint.store.Bounds;
import io.holdpoint.store.Grant;
import io.holdpoint.store.Reversibility;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The policy of one tool or several: everything that {@link RequiresApproval} says of an annotated method, and more, for tools
 * of any origin (annotated methods, tool providers, MCP servers, tools built by hand). Given to
 * {@link HoldpointBuilder#toolPolicies}.
 *
 * <p>A policy requires approval of every call unless {@link #when} or {@link #withoutApproval} say otherwise. Several policies
 * and an annotation may apply to one tool: then the strictest counts, so a policy can only tighten what an annotation says.
 *
 * <pre>{@code
 * ToolPolicy.named("delete_file").message("Delete {{path}}?").editable()
 * ToolPolicy.named("refresh").withoutApproval().idempotent()
 * ToolPolicy.matching(Pattern.compile("(write|delete)_.*"))
 * ToolPolicy.where(tool -> Boolean.TRUE.equals(tool.metadata().get("destructiveHint")))
 * }</pre>
 *
 * <p>Immutable: every method returns another policy. Thread-safe if its predicate, condition and rules are.
 */
public final class ToolPolicy {

    static {
        PolicySettings.readsBy(policy -> policy.settings);
    }

    final PolicySettings settings;

    private ToolPolicy(PolicySettings settings) {
        this.settings = settings;
    }

    private ToolPolicy with(Consumer<PolicySettings> change) {
        PolicySettings changed = settings.clone();
        change.accept(changed);
        return new ToolPolicy(changed);
    }

    /** Begins the policy of one tool, by its name as the model sees it. The agent is not built if it has no such tool. */
    public static ToolPolicy named(String toolName) {
        return new ToolPolicy(new PolicySettings("\"" + toolName + "\"", Optional.of(toolName), tool -> tool.name()
                .equals(toolName)));
    }

    /** Begins the policy of all tools whose whole name matches a pattern. */
    public static ToolPolicy matching(Pattern toolNames) {
        return new ToolPolicy(new PolicySettings("/" + toolNames + "/", Optional.empty(), tool -> toolNames
                .matcher(tool.name())
                .matches()));
    }

    /**
     * Begins the policy of all tools, as the model sees them, that a thread-safe predicate accepts. If it throws, the policy's strict side
     * applies to the tool: it needs approval, and is not idempotent.
     */
    public static ToolPolicy where(Predicate<ToolSpecification> tools) {
        return new ToolPolicy(new PolicySettings(PolicySettings.PREDICATE, Optional.empty(), tools));
    }

    /**
     * Begins the policy of all tools of a class of reversibility, as {@code ToolPolicy.classed(IRREVERSIBLE).approvals(Approvals.of(2))}:
     * annotated with it, marked so by other policies, or by a hint of an MCP server. A tool without a class has none of them. An agent as
     * a tool is not found by the class of its tools: name it.
     */
    public static ToolPolicy classed(Reversibility... classes) {
        Set<Reversibility> chosen = Set.of(classes);
        ToolPolicy policy =
                new ToolPolicy(new PolicySettings("the classes " + List.of(classes), Optional.empty(), tool -> true));
        return policy.with(settings -> settings.classes = chosen);
    }

    /** Decides per call whether a person is asked; by default every call needs approval. */
    public ToolPolicy when(ApprovalCondition condition) {
        return with(policy -> policy.condition = condition);
    }

    /** Requires no approval, for policies that say something else of their tools. An annotation and other policies still count. */
    public ToolPolicy withoutApproval() {
        return when(PolicySettings.NEVER);
    }

    /** Allows the tool to be executed again if the server stopped while it ran, see {@link RequiresApproval#idempotent()}. */
    public ToolPolicy idempotent() {
        return with(policy -> policy.idempotent = true);
    }

    /**
     * Asks a person when the tool fails: the run ends with an interrupt of reason {@code langchain4j:tool_error}, and the
     * answer {@code {"action": "retry" | "give_up", "editedArgs"?: {...}, "note"?: "..."}} says whether the tool is tried again.
     * By default, the failure is the call's result, and the model is told. Edited arguments count as approved: conditions and
     * policies can still deny them, and do not ask again.
     */
    public ToolPolicy askOnFailure() {
        return with(policy -> policy.asksOnFailure = true);
    }

    /**
     * Sets the longest time that a body of the tool may take, see {@link RequiresApproval#timeLimit()}; one that is not positive is an
     * {@link IllegalArgumentException}. Of several policies and an annotation, the shortest counts.
     */
    public ToolPolicy timeLimit(Duration most) {
        if (most.isNegative() || most.isZero()) {
            throw new IllegalArgumentException("timeLimit(" + most + ") must be positive, such as PT30S");
        }
        return with(policy -> policy.timeLimit = Optional.of(most));
    }

    /** Sets the sentence that the person reads, see {@link RequiresApproval#message()}. */
    public ToolPolicy message(String template) {
        return with(policy -> policy.message = template);
    }

    /**
     * Names the arguments that the person may change before approving, see {@link RequiresApproval#editable()}; none for no argument at
     * all. By default it is {@link RequiresApproval#ALL}.
     */
    public ToolPolicy editable(String... names) {
        return with(policy -> policy.editable = List.of(names));
    }

    /**
     * Adds rules about the tools that the policy applies to, as {@link HoldpointBuilder#rules} does for those of an agent. Their terms
     * count for the calls that the policy asks about, and are kept with the question. Of several policies and an annotation that
     * ask about a call, all must have what they want.
     */
    public ToolPolicy rules(Rule... rules) {
        return with(policy -> policy.rules =
                Stream.concat(policy.rules.stream(), Stream.of(rules)).toList());
    }

    /**
     * Allows the person to answer in place of the tool, see {@link RequiresApproval#respond()}. Of several policies and an
     * annotation that ask about a call, all must allow it.
     */
    public ToolPolicy respond() {
        return with(policy -> policy.respond = true);
    }

    /**
     * Sets the time within which the interrupt may be answered; by default it does not expire. At its end the question waits; {@link
     * #timeline} says more, in place of this. A time that is not longer than zero, or is longer than 100 years, is an {@link
     * IllegalArgumentException}.
     */
    public ToolPolicy expiresAfter(Duration duration) {
        return timeline(Timeline.expiresAfter(duration).then(WhenExpired.WAIT));
    }

    /**
     * Says what time does about the question while nobody answers it: reminders, a warning, an escalation, the end. By default, nothing
     * happens. Of several policies and an annotation that ask about a call, the earliest end counts, and the steps of all before it.
     */
    public ToolPolicy timeline(Timeline timeline) {
        return with(policy -> policy.timeline = Optional.of(timeline));
    }

    /**
     * Allows approvals to be remembered for these calls ({@link RequiresApproval#remember()}), at least one scope of them, and for a whole
     * number of minutes, at least one minute and at most 30 days. Of several policies and an annotation that ask about a call, all must
     * allow it. It takes no effect for tools that are {@link Reversibility#IRREVERSIBLE} otherwise.
     *
     * @throws IllegalArgumentException if no scope is given
     */
    public ToolPolicy remember(Duration longest, Grant.Scope... scopes) {
        if (scopes.length == 0) {
            throw new IllegalArgumentException(
                    "remember(...) needs at least one Grant.Scope: the calls that an approval"
                            + " may be remembered for.");
        }
        return with(policy -> {
            policy.remember = Set.of(scopes);
            policy.rememberFor = longest;
            policy.within = Optional.empty();
        });
    }

    /**
     * Allows approvals to be remembered for calls like the approved one that keep to bounds, in place of {@link #remember} and for as
     * long: <em>up to 100 euros a day for this vendor, for a week, in this thread</em>. The person chooses the numbers: {@code
     * {"approved": true, "remember": "within", "bounds": {"amount": 100}, "rememberMinutes": 10080}}. A call is counted before it runs,
     * whatever comes of it; the call that was approved is not. A call beyond the bounds is asked about, and a denial of a call that a
     * decision covers ends the decision.
     */
    public ToolPolicy rememberWithin(Bounds bounds, Duration longest) {
        return with(policy -> {
            policy.remember = Set.of(Grant.Scope.WITHIN);
            policy.rememberFor = longest;
            policy.within = Optional.of(bounds);
        });
    }

    /**
     * Sets the people who have to approve a call: how many, and who. Of several policies and an annotation that ask about a call, all
     * must have their people. After such a call has failed, or if its outcome is unknown, it can be tried again only as it was, by one of
     * these people.
     *
     * @param people by default, one whom the {@link ApprovalAuthorizer} allows. More than one, or an audience, need an authorizer that lets
     *     others than the owner decide, and not together with {@link #remember}, nor more than one with {@link #respond}: else the agent is
     *     not built
     */
    public ToolPolicy approvals(Approvals people) {
        return with(policy -> policy.approvals = people);
    }

    /**
     * Lets the links of the agent decide, see {@link RequiresApproval#decideByLink()}. Of several policies and an annotation that ask
     * about a call, all must allow it. It takes no effect for tools that are {@link Reversibility#IRREVERSIBLE} otherwise.
     */
    public ToolPolicy decideByLink() {
        return with(policy -> policy.decideByLink = true);
    }

    /**
     * Tries the policy out: where it would ask or deny, the audit trail says so ({@link io.holdpoint.store.AuditEvent.Kind#WOULD_ASK},
     * {@link io.holdpoint.store.AuditEvent.Kind#WOULD_DENY}), and nothing else changes. No person is shown it, and an annotation and other
     * policies count as if it were not there: calls do run. The other settings of the policy have no effect.
     */
    public ToolPolicy shadow() {
        return with(policy -> policy.shadow = true);
    }

    /**
     * Says whether what the tools do can be taken back, see {@link RequiresApproval#reversibility()}. Of several policies and an
     * annotation, the strictest counts.
     */
    public ToolPolicy reversibility(Reversibility reversibility) {
        return with(policy -> policy.reversibility = Optional.of(reversibility));
    }

    /** Describes the tools that the policy is for. */
    @Override
    public String toString() {
        return "ToolPolicy for " + settings.description;
    }
}
