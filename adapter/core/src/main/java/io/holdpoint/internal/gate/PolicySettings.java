package io.holdpoint.internal.gate;

import dev.langchain4j.agent.tool.ToolSpecification;
import io.holdpoint.ApprovalCondition;
import io.holdpoint.ApprovalVerdict;
import io.holdpoint.Approvals;
import io.holdpoint.RequiresApproval;
import io.holdpoint.Timeline;
import io.holdpoint.ToolPolicy;
import io.holdpoint.rule.Rule;
import io.holdpoint.store.Bounds;
import io.holdpoint.store.Grant;
import io.holdpoint.store.Reversibility;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * The settings of a {@link ToolPolicy}, which explains them, or of an annotation. Only the policy writes the fields, before it hands
 * the settings out, which an architecture test checks.
 */
public final class PolicySettings implements Cloneable {

    /** The tools that the policy is for, in words: a quoted name, a pattern between slashes, or "a predicate". */
    public final String description;

    /** The description of a policy that a predicate chooses the tools of. */
    public static final String PREDICATE = "a predicate";

    public static final ApprovalCondition NEVER = call -> ApprovalVerdict.allow();

    public final Optional<String> toolName;
    public final Predicate<ToolSpecification> tools;
    public ApprovalCondition condition = new ApprovalCondition.Always();
    public String message = "";
    public List<String> editable = List.of(RequiresApproval.ALL);
    public boolean respond;
    public boolean decideByLink;
    public Optional<Timeline> timeline = Optional.empty();
    public Set<Grant.Scope> remember = Set.of();
    public Duration rememberFor = Duration.ZERO;
    public Optional<Bounds> within = Optional.empty();
    public Approvals approvals = Voices.ONE;
    public Optional<Reversibility> reversibility = Optional.empty();
    /** The classes of the tools that the policy is for; any if it is empty. */
    public Set<Reversibility> classes = Set.of();

    public boolean idempotent;
    public boolean asksOnFailure;
    public List<Rule> rules = List.of();
    Optional<Rule> rule = Optional.empty();
    public boolean shadow;
    boolean ofClient;
    boolean annotated;
    public Optional<Duration> timeLimit = Optional.empty();

    private static Function<ToolPolicy, PolicySettings> reader = policy -> {
        throw new IllegalStateException("the policy has no settings: " + policy);
    };

    /** Lets {@link #of} read the settings of policies; their class says how, before there is one. */
    public static void readsBy(Function<ToolPolicy, PolicySettings> settings) {
        reader = settings;
    }

    public static PolicySettings of(ToolPolicy policy) {
        return reader.apply(policy);
    }

    public PolicySettings(String description, Optional<String> toolName, Predicate<ToolSpecification> tools) {
        this.description = description;
        this.toolName = toolName;
        this.tools = tools;
    }

    /** Reads an annotation, which is for the method that carries it. */
    static PolicySettings of(RequiresApproval annotation, ApprovalCondition condition, List<Rule> named, String where) {
        PolicySettings read = new PolicySettings(where, Optional.empty(), tool -> true);
        read.annotated = true;
        read.condition = condition;
        read.message = annotation.message();
        read.editable = List.of(annotation.editable());
        read.respond = annotation.respond();
        read.decideByLink = annotation.decideByLink();
        List<Rule> said = Policy.checked(where, () -> AnnotationReader.FOUND.read(annotation));
        read.rules = Stream.concat(said.stream(), named.stream()).toList();
        read.timeline = Policy.timeline(annotation, where);
        read.remember = new LinkedHashSet<>(List.of(annotation.remember()));
        read.rememberFor = Policy.duration("rememberFor", annotation.rememberFor(), where);
        read.approvals = Policy.approvals(annotation, where);
        read.reversibility = Policy.reversibility(annotation, where);
        read.idempotent = annotation.idempotent();
        read.timeLimit = Policy.timeLimit(annotation, where);
        return read;
    }

    /** The settings that make a rule's tools guarded: they ask nobody by themselves. */
    static PolicySettings of(Rule rule) {
        PolicySettings settings =
                new PolicySettings("the rule \"" + rule.name() + "\"", Optional.empty(), tool -> true);
        settings.condition = NEVER;
        settings.rule = Optional.of(rule);
        return settings;
    }

    /** The same policy of tools that the client executes, with the arguments that the model proposed. */
    PolicySettings ofClient() {
        PolicySettings copy = clone();
        copy.ofClient = true;
        return copy;
    }

    /** Tells whether the policy is for tools of this class. */
    boolean isFor(Optional<Reversibility> known) {
        return classes.isEmpty() || known.filter(classes::contains).isPresent();
    }

    /** Tells whether a tool's name does not say whether the policy is for it. */
    public boolean choosesByMoreThanName() {
        return !classes.isEmpty() || description.equals(PREDICATE);
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
