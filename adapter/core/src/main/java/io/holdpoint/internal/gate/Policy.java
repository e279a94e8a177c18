package io.holdpoint.internal.gate;

import static dev.langchain4j.service.IllegalConfigurationException.illegalConfiguration;

import dev.langchain4j.agent.tool.ToolSpecification;
import dev.langchain4j.service.IllegalConfigurationException;
import io.holdpoint.ApprovalAuthorizer;
import io.holdpoint.ApprovalCondition;
import io.holdpoint.ApprovalVerdict;
import io.holdpoint.Approvals;
import io.holdpoint.Audience;
import io.holdpoint.ProposedCall;
import io.holdpoint.RequiresApproval;
import io.holdpoint.Timeline;
import io.holdpoint.ToolPolicy;
import io.holdpoint.WhenExpired;
import io.holdpoint.internal.LogText;
import io.holdpoint.rule.Rule;
import io.holdpoint.store.Reversibility;
import java.time.Duration;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One {@link RequiresApproval} or {@link ToolPolicy}, read and checked for one tool. Immutable. */
public record Policy(
        boolean annotated,
        ApprovalCondition condition,
        MessageTemplate message,
        AnswerOptions options,
        Optional<Timeline> timeline,
        boolean idempotent,
        Remembering remembering,
        Approvals approvals,
        Optional<Reversibility> reversibility,
        List<Rule> rules,
        Optional<Rule> rule,
        Optional<Duration> timeLimit) {

    private static final Logger LOG = LoggerFactory.getLogger(Policy.class);

    static final Optional<Reversibility> IRREVERSIBLE = Optional.of(Reversibility.IRREVERSIBLE);

    /** The parts that an answer may have besides approving and denying. Immutable. */
    record AnswerOptions(Optional<Set<String>> editable, boolean respond, boolean byLink) {

        /** The parts that both take. */
        AnswerOptions and(AnswerOptions other) {
            return new AnswerOptions(
                    editable.flatMap(ours -> other.editable.flatMap(theirs -> common(ours, theirs))),
                    respond && other.respond,
                    byLink && other.byLink);
        }

        /** The same where several people decide: none of them answers alone in place of the tool. */
        AnswerOptions withoutResponse() {
            return new AnswerOptions(editable, false, byLink);
        }

        /** A tool without parameters stays editable: nothing is left out. */
        private static Optional<Set<String>> common(Set<String> ours, Set<String> theirs) {
            Set<String> common = ArgumentPath.common(ours, theirs);
            return common.isEmpty() && !ours.isEmpty() ? Optional.empty() : Optional.of(common);
        }
    }

    static Policy of(
            RequiresApproval annotation,
            ApprovalCondition condition,
            List<Rule> named,
            String where,
            ToolSpecification tool) {
        return of(PolicySettings.of(annotation, condition, named, where), where, tool);
    }

    /** Reads a policy of the application for one of the tools that it applies to. */
    static Policy of(PolicySettings policy, ToolSpecification tool) {
        String where = "The policy for " + policy.description + ", applied to the tool \"" + tool.name() + "\"";
        return of(policy, where, tool);
    }

    /** Refuses a policy that contradicts itself, or names what is no parameter of the tool. */
    private static Policy of(PolicySettings policy, String where, ToolSpecification tool) {
        boolean isIrreversible =
                policy.reversibility.equals(IRREVERSIBLE) || policy.annotated && Remembering.isDestructive(tool);
        requireOneResponder(policy.respond, policy.approvals, where);
        List<Rule> rules = new ArrayList<>();
        for (Rule each : policy.rules) {
            Rule rule = Rules.asBuilt(each);
            Rules.requireName(rule, where);
            requireFitting(rule, tool, where);
            requireByHand(rule, policy.decideByLink, !policy.remember.isEmpty(), where);
            rules.add(rule);
        }
        if (policy.rule.isPresent()) {
            requireFitting(policy.rule.get(), tool, where);
        }
        Optional<Set<String>> editable = editable(policy.editable, where, tool);
        requireSeen(policy.decideByLink, isIrreversible, where);
        Remembering remembering = Remembering.of(
                policy.remember,
                policy.rememberFor,
                Remembering.requireFitting(policy.within, tool, where),
                isIrreversible,
                where);
        return new Policy(
                policy.annotated,
                policy.condition,
                message(policy.message, where, tool),
                new AnswerOptions(policy.ofClient ? Optional.empty() : editable, policy.respond, policy.decideByLink),
                policy.timeline,
                policy.annotated && policy.idempotent, // a policy whose predicate fails must not say so
                policy.ofClient ? remembering.uncounted() : remembering,
                unremembered(policy.approvals, !policy.remember.isEmpty(), where),
                policy.reversibility,
                rules,
                policy.rule,
                policy.timeLimit);
    }

    private static void requireFitting(Rule rule, ToolSpecification tool, String where) {
        checked(where, () -> {
            rule.requireFitting(tool);
            return rule;
        });
    }

    GatedTool.Asks asks() {
        if (condition instanceof ApprovalCondition.Always) {
            return GatedTool.Asks.ALWAYS;
        }
        return condition == PolicySettings.NEVER && rule.isEmpty() ? GatedTool.Asks.NEVER : GatedTool.Asks.BY_CONDITION;
    }

    /** The question to people and those who decide, in words that are the same in every process. */
    String described() {
        return Stream.of(
                        asks(),
                        described(condition),
                        message.source(),
                        new TreeSet<>(options.editable().orElse(Set.of())),
                        options.editable().isPresent(),
                        options.respond(),
                        options.byLink(),
                        timeline,
                        idempotent,
                        new TreeSet<>(remembering.scopes()),
                        remembering.longest(),
                        remembering.bounds(),
                        approvals,
                        reversibility,
                        rules.stream().map(each -> each.name() + each.terms()).toList(),
                        rule.isPresent() ? Optional.of(rule.get().name()) : Optional.empty(),
                        timeLimit)
                .map(String::valueOf)
                .collect(Collectors.joining("\n"));
    }

    /** The class of a lambda has another name in each process. */
    private static String described(ApprovalCondition condition) {
        return condition.getClass().isHidden() ? "" : condition.getClass().getName();
    }

    static Optional<Reversibility> reversibility(RequiresApproval annotation, String where) {
        if (annotation.reversibility().length > 1) {
            throw illegalConfiguration(
                    "%s: reversibility = %s is more than one class. Say the strictest.",
                    where, List.of(annotation.reversibility()));
        }
        return List.of(annotation.reversibility()).stream().findFirst();
    }

    private static void requireSeen(boolean byLink, boolean alwaysSeen, String where) {
        if (byLink && alwaysSeen) {
            throw illegalConfiguration(
                    "%s: what the tool does is irreversible, so no link decides about it: somebody has to sign in and look. Remove"
                            + " decideByLink, or change the other.",
                    where);
        }
    }

    /** Refuses that what has to be written into each approval comes by a link, and that it, or what is said of one call, is remembered. */
    private static void requireByHand(Rule rule, boolean byLink, boolean remembers, String where) {
        boolean isWanted = rule.terms().isWanted();
        if (rule.terms().field() != null && (remembers || byLink && isWanted)) {
            throw illegalConfiguration(
                    "%s: an approval with \"%s\" cannot be remembered%s: somebody has to look at every call. Remove remember%s, or \"%s\".",
                    where,
                    rule.name(),
                    isWanted ? ", nor given by a link" : "",
                    isWanted ? " and decideByLink" : "",
                    rule.name());
        }
    }

    static Approvals approvals(RequiresApproval annotation, String where) {
        if (annotation.approvals() < 1) {
            throw illegalConfiguration("%s: approvals = %d must be at least 1.", where, annotation.approvals());
        }
        return Approvals.of(annotation.approvals());
    }

    private static Approvals unremembered(Approvals approvals, boolean remembers, String where) {
        if (remembers && !approvals.equals(Voices.ONE)) {
            throw illegalConfiguration(
                    "%s: an approval by certain people or by several cannot be remembered: they have to look at every"
                            + " call. Remove remember, or approvals.",
                    where);
        }
        return approvals;
    }

    /** Refuses several people, or certain ones, where one alone may decide, and a question that would not wait as long as it says. */
    Policy requireDeciders(ApprovalAuthorizer authorizer, Duration abandoned, String where) {
        Optional<Duration> end = timeline.isPresent() ? timeline.get().expiry() : Optional.empty();
        if (end.isPresent() && end.get().compareTo(abandoned) > 0) {
            throw illegalConfiguration(
                    "%s: expiresAfter = \"%s\" is longer than an unfinished batch is kept (Retention.abandoned, %s), which"
                            + " settles the question before. Set retention(...) with a longer time, or a shorter expiresAfter.",
                    where, end.get(), abandoned);
        }
        if (approvals.needed() > 1 && authorizer == ApprovalAuthorizer.OWNER) {
            throw illegalConfiguration(
                    "%s: approvals = %d, but only the owner of a thread may decide, so nobody else could approve. Set"
                            + " Holdpoint.builder(...).approvalAuthorizer(...), such as ApprovalAuthorizer.role(\"approver\"), and"
                            + " let the transport tell callers apart.",
                    where, approvals.needed());
        }
        List<Audience> others = new ArrayList<>();
        for (Approvals.Group group : approvals.groups()) {
            others.addAll(group.audience().stream().toList());
        }
        for (Timeline.Step step : timeline.isPresent() ? timeline.get().steps() : List.<Timeline.Step>of()) {
            others.addAll(step.audience().stream().toList());
        }
        if (authorizer == ApprovalAuthorizer.OWNER && !others.isEmpty()) {
            throw illegalConfiguration(
                    "%s: \"%s\" is asked, but only the owner of a thread may decide, so nobody of them could. Set"
                            + " Holdpoint.builder(...).approvalAuthorizer(...), such as ApprovalAuthorizer.role(\"%s\"), or"
                            + " remove the audience.",
                    where, others.get(0).name(), others.get(0).name());
        }
        return this;
    }

    /** Refuses that one person alone gives the result of what several have to approve. */
    private static void requireOneResponder(boolean respond, Approvals approvals, String where) {
        if (respond && approvals.needed() > 1) {
            throw illegalConfiguration(
                    "%s: respond lets one person answer in place of the tool, but approvals = %d have to decide. Remove respond, or"
                            + " approvals.",
                    where, approvals.needed());
        }
    }

    private static MessageTemplate message(String text, String where, ToolSpecification tool) {
        return text.isBlank()
                ? MessageTemplate.standard(tool.name())
                : requireKnown(MessageTemplate.parse(text), where, tool);
    }

    /** Refuses a placeholder that is neither a parameter nor a part of one. */
    public static MessageTemplate requireKnown(MessageTemplate message, String where, ToolSpecification tool) {
        for (String placeholder : message.placeholders()) {
            ToolSchemas.requirePart(
                    placeholder, tool, where, "%s: the message names {{%s}}, but the tool's parameters are %s.");
        }
        return message;
    }

    private static Optional<Set<String>> editable(List<String> names, String where, ToolSpecification tool) {
        if (names.contains(RequiresApproval.ALL) && names.size() > 1) {
            throw illegalConfiguration(
                    "%s: editable = %s contradict each other: \"*\" stands for all arguments. Remove it, or the names.",
                    where, names);
        }
        if (names.contains(RequiresApproval.ALL)) {
            return Optional.of(ToolSchemas.parameterNames(tool));
        }
        for (String name : names) {
            ToolSchemas.requireEditable(
                    name, tool, where, "%s: editable names \"%s\", but the tool's parameters are %s.");
        }
        return names.isEmpty() ? Optional.empty() : Optional.of(Set.copyOf(names));
    }

    public static Optional<Timeline> timeline(String expiresAfter, String where) {
        return time("expiresAfter", expiresAfter, where)
                .map(end -> checked(where, () -> new Timeline(Optional.of(end), WhenExpired.WAIT, List.of())));
    }

    static Optional<Timeline> timeline(RequiresApproval annotation, String where) {
        Optional<Duration> escalate = time("escalate", annotation.escalate(), where);
        if (escalate.isPresent() != !annotation.escalateTo().isBlank()) {
            throw illegalConfiguration(
                    "%s: escalate = \"%s\" and escalateTo = \"%s\" belong together: when, and the role of those who are asked as"
                            + " well.",
                    where, annotation.escalate(), annotation.escalateTo());
        }
        Optional<Duration> warn = time("warn", annotation.warn(), where);
        Optional<Duration> end = time("expiresAfter", annotation.expiresAfter(), where);
        if (warn.isPresent() && end.isEmpty()) {
            throw illegalConfiguration(
                    "%s: warn = \"%s\" is before the end, but the question does not expire. Set expiresAfter.",
                    where, annotation.warn());
        }
        Optional<Duration> remind = time("remind", annotation.remind(), where);
        Timeline timeline = checked(where, () -> {
            Timeline read = new Timeline(end, annotation.whenExpired(), List.of());
            read = remind.isPresent() ? read.remind(remind.get()) : read;
            read = warn.isPresent() ? read.warn(warn.get()) : read;
            return escalate.isPresent() ? read.escalate(escalate.get(), Audience.role(annotation.escalateTo())) : read;
        });
        return end.isEmpty() && timeline.steps().isEmpty() ? Optional.empty() : Optional.of(timeline);
    }

    static Optional<Duration> timeLimit(RequiresApproval annotation, String where) {
        Optional<Duration> limit = time("timeLimit", annotation.timeLimit(), where);
        if (limit.isPresent() && (limit.get().isNegative() || limit.get().isZero())) {
            throw illegalConfiguration(
                    "%s: timeLimit = \"%s\" must be positive, such as \"PT30S\".", where, annotation.timeLimit());
        }
        return limit;
    }

    private static Optional<Duration> time(String attribute, String text, String where) {
        return text.isBlank() ? Optional.empty() : Optional.of(duration(attribute, text, where));
    }

    static <T> T checked(String where, Supplier<T> read) {
        try {
            return read.get();
        } catch (IllegalArgumentException | IllegalConfigurationException e) {
            throw illegalConfiguration("%s: %s", where, e.getMessage());
        }
    }

    static Duration duration(String attribute, String text, String where) {
        try {
            return Duration.parse(text);
        } catch (DateTimeParseException e) {
            throw illegalConfiguration(
                    "%s: %s = \"%s\" is not an ISO-8601 duration such as \"PT15M\" or \"P7D\".",
                    where, attribute, text);
        }
    }

    boolean alwaysAsks() {
        return condition.getClass() == ApprovalCondition.Always.class;
    }

    /** Asks the condition. If the condition fails, a person must be asked. */
    ApprovalVerdict evaluate(ProposedCall call) {
        return evaluate(call, "a person is asked");
    }

    /** Asks the condition of a policy that only looks on. If the condition fails, a person would be asked. */
    ApprovalVerdict evaluateOnTrial(ProposedCall call) {
        return evaluate(call, "the policy only looks on, so nothing follows from that");
    }

    private ApprovalVerdict evaluate(ProposedCall call, String consequence) {
        try {
            return Objects.requireNonNull(condition.evaluate(copy(call)), "the condition answered null");
        } catch (Throwable e) { // a missing class too has not said yes, and not every language checks exceptions
            LOG.warn("The condition for {} failed; {}: {}", call.toolName(), consequence, LogText.of(e));
            return ApprovalVerdict.requireApproval();
        }
    }

    /** A copy for code of the application, which must change neither what the next policy sees nor what runs. */
    public static ProposedCall copy(ProposedCall call) {
        return new ProposedCall(
                call.tool(),
                call.arguments().deepCopy(),
                call.caller(),
                call.threadId(),
                call.runId(),
                call.toolCallId());
    }
}
