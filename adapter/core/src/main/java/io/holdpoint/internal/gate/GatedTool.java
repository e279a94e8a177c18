package io.holdpoint.internal.gate;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.langchain4j.agent.tool.ToolSpecification;
import dev.langchain4j.internal.JsonSchemaElementUtils;
import io.holdpoint.ApprovalVerdict;
import io.holdpoint.Approvals;
import io.holdpoint.ProposedCall;
import io.holdpoint.Timeline;
import io.holdpoint.agui.AguiCodec;
import io.holdpoint.agui.Interrupt;
import io.holdpoint.internal.Ids;
import io.holdpoint.internal.gate.GatedTool.QuestionTemplate;
import io.holdpoint.internal.gate.JavaArguments.Taken;
import io.holdpoint.internal.gate.MethodArguments.Misfit;
import io.holdpoint.internal.gate.Policy.AnswerOptions;
import io.holdpoint.internal.schema.JsonSchemas;
import io.holdpoint.rule.Rule;
import io.holdpoint.store.Call.Question;
import io.holdpoint.store.RecordJson;
import io.holdpoint.store.Reversibility;
import io.holdpoint.store.TimeStep;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A tool as the gate knows it. Immutable. Its hash is of all that makes it the tool that a person was asked about: method,
 * sentences and parameters; it is the same in every process and on every node.
 */
public record GatedTool(
        ToolPolicies policies,
        boolean idempotent,
        boolean asksOnFailure,
        Optional<QuestionTemplate> question,
        boolean ofClient,
        String sha256) {

    static GatedTool of(ToolPolicies policies, Optional<ToolMethod> method, boolean idempotent, boolean asksOnFailure) {
        ObjectNode signature = policies.signature();
        signature.put("method", method.isPresent() ? method.get().stableName() : "");
        ArrayNode sentences = signature.putArray("sentences");
        for (String sentence : policies.sentences()) {
            sentences.add(sentence);
        }
        return new GatedTool(
                policies,
                idempotent || policies.idempotent(),
                asksOnFailure,
                Optional.empty(),
                false,
                ToolArguments.sha256(ToolArguments.write(signature)));
    }

    public boolean is(String storedSha256) {
        return sha256.equals(storedSha256);
    }

    /** The hash for people who compare deployments: it has what the model is told, which decides when the tool is called, and the policies. */
    public String fingerprint() {
        String asked = policies.all().stream().map(Policy::described).sorted().collect(Collectors.joining("\n\n"));
        return ToolArguments.sha256(sha256 + specification().description() + asked + idempotent + asksOnFailure);
    }

    /** The calls of a tool about which people are asked. */
    public enum Asks {
        ALWAYS,
        BY_CONDITION,
        NEVER
    }

    public Asks asks() {
        Asks asks = question.isPresent() ? Asks.ALWAYS : Asks.NEVER;
        for (Policy policy : policies.all()) {
            asks = policy.asks().compareTo(asks) < 0 ? policy.asks() : asks;
        }
        return asks;
    }

    /** Says the same of its annotation alone, which no policy loosens. */
    public Asks asksByAnnotation() {
        for (Policy policy : policies.all()) {
            if (policy.annotated()) {
                return policy.asks();
            }
        }
        return Asks.NEVER;
    }

    /** Checks whether another tool of this name takes the same arguments. */
    public boolean takesTheSameAs(GatedTool other) {
        return this == other || policies.signature().equals(other.policies.signature());
    }

    /** The same tool without a body. Its hash differs: an approval of the tool with a body does not count for it. */
    GatedTool asking(QuestionTemplate asked) {
        return new GatedTool(
                policies,
                idempotent,
                asksOnFailure,
                Optional.of(asked),
                ofClient,
                ToolArguments.sha256("asks the user: " + sha256));
    }

    GatedTool repeatable() {
        return new GatedTool(policies, true, asksOnFailure, question, ofClient, sha256);
    }

    /** The same tool, executed by the client with the arguments that the model proposed. */
    GatedTool leftToClient() {
        return new GatedTool(policies, false, false, question, true, sha256);
    }

    /**
     * This tool with the policies of another tool of the same name as well, also those that only look on, and the strictest class of both. If
     * people are asked about one of the two only, it is that one.
     */
    public GatedTool and(GatedTool other) {
        GatedTool asked = isGuarded() || !other.isGuarded() ? this : other;
        return new GatedTool(
                asked.policies.and(asked == this ? other.policies : policies),
                idempotent && other.idempotent,
                asksOnFailure || other.asksOnFailure,
                question.or(other::question),
                asked.ofClient,
                asked.sha256);
    }

    public ToolSpecification specification() {
        return policies.tool;
    }

    public MethodArguments arguments() {
        return policies.arguments;
    }

    public String name() {
        return specification().name();
    }

    /** The schema of edits of these arguments for questions other than approvals; empty if they cannot be edited. */
    public Optional<ObjectNode> editedArgs(ObjectNode shown) {
        return policies.editedArgs().map(schema -> ShownSchema.taking(schema, shown));
    }

    /**
     * Arguments as the tool gets them, with those that it would not get or that break its constraints. A tool that may run unasked keeps only
     * to the application's own constraints: the rest is LangChain4j's affair.
     */
    public Taken taken(ObjectNode complete, JsonSchemas schemas) {
        MethodArguments arguments = arguments();
        Taken taken = policies.isEmpty() ? Taken.asSent(complete, List.of()) : arguments.taken(complete);
        if (arguments.isConstrained()) {
            List<Misfit> violations =
                    Misfit.all(schemas.violations(arguments.constraints().schema(), taken.arguments()));
            if (!violations.isEmpty()) {
                return Taken.asSent(taken.arguments(), violations);
            }
        }
        if (policies.isEmpty() || question.isPresent()) { // a question has no body to take them
            return Taken.asSent(taken.arguments(), List.of());
        }
        if (!arguments.isOfNoMethod()) {
            return taken;
        }
        ObjectNode known = ToolSchemas.known(specification());
        return Taken.asSent(
                complete, Misfit.all(schemas.violations(known, ApprovalForm.withoutOptionalNulls(known, complete))));
    }

    /** The class of what the tool does, if one is said. */
    public Optional<Reversibility> reversibility() {
        return policies.reversibility;
    }

    /** Checks whether the tool is known to do as much as this. */
    boolean isAtLeast(Optional<Reversibility> least) {
        Optional<Reversibility> known = reversibility();
        return least.isEmpty() || known.isPresent() && known.get().compareTo(least.get()) >= 0;
    }

    public boolean isHarmlessTwice() {
        return idempotent() || reversibility().equals(Optional.of(Reversibility.READ_ONLY));
    }

    /** The longest time that a body may take. */
    public Optional<Duration> timeLimit() {
        Duration shortest = null;
        for (Policy policy : policies.all()) {
            Duration limit = policy.timeLimit().orElse(shortest);
            shortest = shortest == null || limit.compareTo(shortest) < 0 ? limit : shortest;
        }
        return Optional.ofNullable(shortest);
    }

    /** Checks whether a policy lets approvals be remembered, for some calls at least. */
    public boolean mayBeRemembered() {
        return policies.all().stream().anyMatch(policy -> !policy.remembering().isNever());
    }

    /** The rules that have a say in its calls, one of each name. */
    public List<Rule> rules() {
        return policies.rules;
    }

    /** Those of them that say something about proposals. */
    public List<Rule> speakers() {
        return policies.speakers;
    }

    /** Checks whether a call may be asked about or denied. */
    public boolean isGuarded() {
        return question.isPresent() || !policies.isEmpty();
    }

    /** Checks whether people may be asked about calls without any rule. */
    public boolean asksWithoutRules() {
        return question.isPresent()
                || policies.all().stream().anyMatch(policy -> policy.rule().isEmpty() && policy.asks() != Asks.NEVER);
    }

    /** Checks whether policies only look on. */
    public boolean isShadowed() {
        return !policies.shadows.isEmpty();
    }

    /** The verdicts of policies that only look on, as the audit trail tells them; empty if none would ask or deny. */
    public ArrayNode wouldBe(ProposedCall call) {
        ArrayNode verdicts = JsonNodeFactory.instance.arrayNode();
        for (Shadow each : policies.shadows) {
            ApprovalVerdict verdict = each.policy.evaluateOnTrial(call);
            if (verdict instanceof ApprovalVerdict.Deny deny) {
                verdicts.addObject()
                        .put("would", "DENY")
                        .put("policy", each.description)
                        .put("reason", ModelTexts.shown(deny.reason()));
            } else if (verdict instanceof ApprovalVerdict.RequireApproval required) {
                ObjectNode asks = verdicts.addObject().put("would", "ASK").put("policy", each.description);
                required.reason().ifPresent(why -> asks.put("reason", ModelTexts.shown(why)));
            }
        }
        return verdicts;
    }

    /** A policy that only looks on. */
    record Shadow(String description, Policy policy) {}

    /** The question about any call of a tool. Immutable, except for the schema, which callers do not change. */
    public record QuestionTemplate(
            Question.Kind kind,
            String reason,
            MessageTemplate message,
            ObjectNode responseSchema,
            Remembering remembering,
            Optional<Timeline> timeline,
            Approvals approvals,
            List<Rule> rules,
            boolean byLink) {

        /** The question about one call, without what rules show of it. */
        Question about(ProposedCall call, String canonicalArguments, Optional<String> proposer, Instant now) {
            ObjectNode metadata = JsonNodeFactory.instance.objectNode();
            ObjectNode langchain4j = metadata.putObject("langchain4j");
            langchain4j.put("toolName", call.tool().name());
            Gate.show(langchain4j, call.arguments(), canonicalArguments);
            List<String> order =
                    responseSchema.path("properties").has(ApprovalForm.EDITS) ? List.of() : declaredOrder(call);
            if (!order.isEmpty()) {
                langchain4j.set("argsOrder", AguiCodec.mapper().valueToTree(order));
            }
            List<TimeStep> steps = timeline.isPresent() ? timeline.get().of(now) : List.of();
            Duration expiry = timeline.isPresent() ? timeline.get().expiry().orElse(null) : null;
            if (!steps.isEmpty()) {
                langchain4j.set("timeline", describe(steps));
            }
            if (kind == Question.Kind.APPROVALS) {
                Voices.require(langchain4j, approvals);
            }
            if (remembering.bounds().isPresent() && !remembering.isNever()) {
                String bounds = RecordJson.write(remembering.bounds().get());
                langchain4j.set(ApprovalForm.WITHIN, RecordJson.read(bounds, ObjectNode.class));
            }
            if (byLink) {
                langchain4j.put(ApprovalForm.BY_LINK, true);
            }
            Interrupt interrupt = new Interrupt(
                    Ids.interrupt(),
                    reason,
                    message.render(ToolSchemas.inOrder(call.tool(), call.arguments()), proposer),
                    call.toolCallId(),
                    ApprovalForm.taking(responseSchema, call.arguments()),
                    expiry == null ? null : now.plus(expiry),
                    metadata);
            return new Question(kind, interrupt, now, null, steps);
        }

        /** The names of a call's arguments as its tool declares them; empty if they are in the order of the alphabet. */
        private static List<String> declaredOrder(ProposedCall call) {
            if (call.tool().parameters() == null) {
                return List.of();
            }
            List<String> declared = call.tool().parameters().properties().keySet().stream()
                    .filter(call.arguments()::has)
                    .toList();
            return declared.equals(declared.stream().sorted().toList()) ? List.of() : declared;
        }

        static ArrayNode describe(List<TimeStep> steps) {
            ArrayNode described = JsonNodeFactory.instance.arrayNode();
            for (TimeStep step : steps) {
                ObjectNode each = described
                        .addObject()
                        .put("at", step.at().toString())
                        .put("step", step.kind().name().toLowerCase(Locale.ROOT));
                if (step.audience() != null) {
                    each.put("audience", step.audience());
                }
            }
            return described;
        }
    }

    /** All policies that apply to a tool, and the schemas of the answers that they take. Thread-safe. */
    static final class ToolPolicies {

        private final ToolSpecification tool;
        private final MethodArguments arguments;
        private final List<Policy> policies;
        private final List<Shadow> shadows;
        private final List<Rule> rules;
        private final List<Rule> speakers;
        private final Map<AnswerOptions, ObjectNode> schemas = new ConcurrentHashMap<>();
        private final Optional<Reversibility> reversibility;
        private volatile @Nullable QuestionTemplate ofEvery;

        /** The policies of a tool of this class, and others that only look on. */
        ToolPolicies(
                ToolSpecification tool,
                MethodArguments arguments,
                List<Policy> policies,
                List<Shadow> shadows,
                Optional<Reversibility> reversibility) {
            this.tool = tool;
            this.arguments = arguments;
            this.policies = List.copyOf(policies);
            this.shadows = List.copyOf(shadows);
            this.rules =
                    Policy.checked("The policies of the tool \"" + tool.name() + "\"", () -> rulesOf(this.policies));
            this.speakers = rules.stream().filter(Rules::speaks).toList();
            this.reversibility = reversibility;
        }

        /** The rules that want something of the answers, one of each name. */
        private List<Rule> wantedBy(List<Policy> asking) {
            List<Rule> wanted = new ArrayList<>();
            for (Rule rule : rulesOf(asking)) {
                if (rule.terms().isWanted()) {
                    wanted.add(rule);
                }
            }
            return List.copyOf(wanted);
        }

        /** Those of policies and those of the agent, one of each name. */
        private List<Rule> rulesOf(List<Policy> asking) {
            List<Rule> rules = new ArrayList<>();
            for (Policy policy : asking) {
                rules.addAll(policy.rules());
            }
            for (Policy policy : policies) {
                rules.addAll(policy.rule().stream().toList());
            }
            Map<String, Rule> all = new LinkedHashMap<>();
            for (Rule rule : rules) {
                all.merge(rule.name(), rule, Rule::and);
            }
            return new ArrayList<>(all.values());
        }

        ToolPolicies and(ToolPolicies other) {
            return new ToolPolicies(
                    tool,
                    arguments,
                    both(policies, other.policies),
                    both(shadows, other.shadows),
                    Reversibility.strictest(both(
                            reversibility.stream().toList(),
                            other.reversibility.stream().toList())));
        }

        private static <T> List<T> both(List<T> ours, List<T> others) {
            return Stream.concat(ours.stream(), others.stream()).distinct().toList();
        }

        /** The schema of edited arguments, with the parameters that all policies let be edited; what several people or a repeated value approve is edited before it runs only. */
        Optional<ObjectNode> editedArgs() {
            for (Policy policy : policies) {
                if (!policy.approvals().equals(Voices.ONE)
                        || !wantedBy(List.of(policy)).isEmpty()) {
                    return Optional.empty();
                }
            }
            Set<String> editable = policies.isEmpty()
                    ? ToolSchemas.parameterNames(tool)
                    : options(policies).editable().orElse(null);
            return editable == null ? Optional.empty() : Optional.of(ToolSchemas.editedArgs(tool, arguments, editable));
        }

        private static AnswerOptions options(List<Policy> asking) {
            AnswerOptions options = asking.get(0).options();
            for (Policy policy : asking.subList(1, asking.size())) {
                options = options.and(policy.options());
            }
            return options;
        }

        boolean isEmpty() {
            return policies.isEmpty();
        }

        boolean idempotent() {
            for (Policy policy : policies) {
                if (policy.idempotent()) {
                    return true;
                }
            }
            return false;
        }

        /** Leaves the tool's own description out, and counts constraints: a check against other constraints is none. */
        private ObjectNode signature() {
            ObjectNode signature = JsonNodeFactory.instance.objectNode();
            signature.put("name", tool.name());
            if (tool.parameters() != null) {
                signature.set(
                        "parameters", AguiCodec.mapper().valueToTree(JsonSchemaElementUtils.toMap(tool.parameters())));
            }
            if (!arguments.defaults().isEmpty()) {
                signature.set("defaults", ToolArguments.canonical(arguments.defaults()));
            }
            if (arguments.isConstrained()) {
                signature.set(
                        "constraints",
                        ToolArguments.canonical(arguments.constraints().schema()));
            }
            return signature;
        }

        /** The sentences of the application that a person may read; its own order of policies does not matter. */
        List<String> sentences() {
            Set<String> sentences = new TreeSet<>();
            for (Policy policy : policies) {
                if (!policy.message().source().isBlank()) {
                    sentences.add(policy.message().source());
                }
            }
            return List.copyOf(sentences);
        }

        List<Policy> all() {
            return policies;
        }

        /** The question about a call that somebody has to look at: of all policies, or of none but rules. */
        QuestionTemplate ofAll() {
            List<Policy> said =
                    policies.stream().filter(policy -> policy.rule().isEmpty()).toList();
            return together(said.isEmpty() ? policies : said);
        }

        /**
         * The one question of several policies that ask about a call: the first sentence, the shortest time, and the
         * answers that every one of them takes.
         */
        QuestionTemplate together(List<Policy> asking) {
            if (asking.size() < policies.size()) {
                return ofSome(asking);
            }
            QuestionTemplate known = ofEvery;
            if (known == null) {
                known = ofSome(policies);
                ofEvery = known;
            }
            return known;
        }

        private QuestionTemplate ofSome(List<Policy> asking) {
            AnswerOptions options = options(asking);
            Remembering remembering = reversibility.equals(Policy.IRREVERSIBLE)
                    ? Remembering.NEVER
                    : asking.get(0).remembering();
            Optional<Timeline> timeline = Optional.empty();
            Approvals approvals = Voices.ONE;
            for (Policy policy : asking) {
                approvals = Voices.strictest(approvals, policy.approvals());
                remembering = remembering.and(policy.remembering());
                Timeline before = timeline.orElse(null);
                Timeline other = policy.timeline().orElse(null);
                timeline = other == null ? timeline : Optional.of(before == null ? other : before.and(other));
            }
            AnswerOptions offered = approvals.needed() == 1 ? options : options.withoutResponse();
            ObjectNode approval = schemas.get(offered);
            if (approval == null) {
                approval = ToolSchemas.approval(tool, arguments, offered);
                schemas.put(offered, approval);
            }
            List<Rule> wanted = wantedBy(asking);
            boolean alone = approvals.equals(Voices.ONE) && wanted.isEmpty();
            for (Rule rule : rules) { // what one shows of a call is about that call, whichever policies ask
                alone &= rule.terms().field() == null || rule.terms().isWanted();
            }
            Remembering kept = alone ? remembering : Remembering.NEVER;
            return new QuestionTemplate(
                    approvals.equals(Voices.ONE) ? Question.Kind.APPROVAL : Question.Kind.APPROVALS,
                    "tool_call",
                    asking.get(0).message(),
                    ApprovalForm.withRemembering(ApprovalForm.withFields(approval, rulesOf(asking)), kept),
                    kept,
                    timeline,
                    approvals,
                    wanted,
                    options.byLink() && wanted.isEmpty() && !reversibility.equals(Policy.IRREVERSIBLE));
        }
    }
}
