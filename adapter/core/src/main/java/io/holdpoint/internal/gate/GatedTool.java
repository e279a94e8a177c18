package io.holdpoint.internal.gate;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.langchain4j.agent.tool.ToolSpecification;
import dev.langchain4j.internal.JsonSchemaElementUtils;
import io.holdpoint.Approvals;
import io.holdpoint.ProposedCall;
import io.holdpoint.Timeline;
import io.holdpoint.agui.AguiCodec;
import io.holdpoint.agui.Interrupt;
import io.holdpoint.internal.Ids;
import io.holdpoint.internal.gate.ApprovalForm.Remembering;
import io.holdpoint.internal.gate.GatedTool.QuestionTemplate;
import io.holdpoint.internal.gate.Policy.AnswerOptions;
import io.holdpoint.store.Call.Question;
import io.holdpoint.store.TimeStep;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * A tool as the gate knows it. Immutable. Its hash is of all that makes it the tool that a person was asked about: method,
 * sentences and parameters; it is the same in every process and on every node. Builds before this one have stored the hash of name
 * and parameters only.
 */
public record GatedTool(
        ToolSpecification specification,
        ToolPolicies policies,
        MethodArguments arguments,
        boolean idempotent,
        boolean asksOnFailure,
        Optional<QuestionTemplate> question,
        boolean ofClient,
        String sha256,
        String parametersSha256) {

    static GatedTool of(
            ToolPolicies policies,
            MethodArguments arguments,
            Optional<ToolMethod> method,
            boolean idempotent,
            boolean asksOnFailure) {
        ToolSpecification tool = policies.tool();
        ObjectNode signature = signature(tool, arguments);
        String ofParameters = hash(signature);
        signature.put("method", method.map(ToolMethod::stableName).orElse(""));
        policies.sentences().forEach(signature.withArray("/sentences")::add);
        return new GatedTool(
                tool,
                policies,
                arguments,
                idempotent || policies.idempotent(),
                asksOnFailure,
                Optional.empty(),
                false,
                hash(signature),
                ofParameters);
    }

    /** Checks whether a stored hash is that of this tool. */
    public boolean is(String storedSha256) {
        return sha256.equals(storedSha256) || parametersSha256.equals(storedSha256);
    }

    /** Checks whether another tool of this name takes the same arguments. */
    public boolean takesTheSameAs(GatedTool other) {
        return parametersSha256.equals(other.parametersSha256);
    }

    /** Leaves the tool's own description out, and counts constraints: a check against other constraints is none. */
    private static ObjectNode signature(ToolSpecification tool, MethodArguments arguments) {
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

    private static String hash(ObjectNode signature) {
        return ToolArguments.sha256(ToolArguments.write(signature));
    }

    /** The same tool without a body. Its hash differs: an approval of the tool with a body does not count for it. */
    GatedTool asking(QuestionTemplate asked) {
        return new GatedTool(
                specification,
                policies,
                arguments,
                idempotent,
                asksOnFailure,
                Optional.of(asked),
                ofClient,
                ToolArguments.sha256("asks the user: " + sha256),
                ToolArguments.sha256("asks the user: " + parametersSha256));
    }

    /** The same tool, which may be executed again without asking. */
    GatedTool repeatable() {
        return new GatedTool(
                specification, policies, arguments, true, asksOnFailure, question, ofClient, sha256, parametersSha256);
    }

    /** The same tool, executed by the client with the arguments that the model proposed. */
    GatedTool leftToClient() {
        return new GatedTool(
                specification,
                policies.withoutEdits(),
                arguments,
                false,
                false,
                question,
                true,
                sha256,
                parametersSha256);
    }

    /** This tool with the policies of another tool of the same name as well. */
    public GatedTool and(GatedTool other) {
        if (!other.isGuarded()) {
            return this;
        }
        return isGuarded()
                ? new GatedTool(
                        specification,
                        policies.and(other.policies),
                        arguments,
                        idempotent,
                        asksOnFailure,
                        question.or(other::question),
                        ofClient,
                        sha256,
                        parametersSha256)
                : other;
    }

    /** The name that the model sees. */
    public String name() {
        return specification.name();
    }

    /** The schema of edited arguments for questions other than approvals; empty if the arguments cannot be edited. */
    public Optional<ObjectNode> editedArgs() {
        return policies.editedArgs();
    }

    /** Checks whether a call may be asked about or denied. */
    public boolean isGuarded() {
        return question.isPresent() || !policies.isEmpty();
    }

    /** The question about any call of a tool. Immutable, except for the schema, which callers do not change. */
    record QuestionTemplate(
            Question.Kind kind,
            String reason,
            MessageTemplate message,
            ObjectNode responseSchema,
            Remembering remembering,
            Optional<Preview> preview,
            Optional<Timeline> timeline,
            Approvals approvals) {

        /** The question about one call, without the preview. */
        Question about(ProposedCall call, String canonicalArguments, Instant now) {
            ObjectNode metadata = JsonNodeFactory.instance.objectNode();
            ObjectNode langchain4j = metadata.putObject("langchain4j");
            langchain4j.put("toolName", call.tool().name());
            langchain4j.set("args", call.arguments());
            langchain4j.put("argsSha256", ToolArguments.sha256(canonicalArguments));
            List<TimeStep> steps = timeline.map(all -> all.of(now)).orElse(List.of());
            if (!steps.isEmpty()) {
                langchain4j.set("timeline", describe(steps));
            }
            if (kind == Question.Kind.APPROVALS) {
                Voices.require(langchain4j, approvals);
            }
            Interrupt interrupt = new Interrupt(
                    Ids.interrupt(),
                    reason,
                    message.render(call.arguments()),
                    call.toolCallId(),
                    responseSchema,
                    timeline.flatMap(Timeline::expiry).map(now::plus).orElse(null),
                    metadata);
            return new Question(kind, interrupt, now, null, steps);
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
        private final Map<AnswerOptions, ObjectNode> schemas = new ConcurrentHashMap<>();
        private final boolean destructive;
        private volatile @Nullable QuestionTemplate ofAll;

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

        /** The same policies without edits. */
        ToolPolicies withoutEdits() {
            return new ToolPolicies(
                    tool, arguments, policies.stream().map(Policy::withoutEdits).toList(), destructive);
        }

        /** The schema of edited arguments, with the parameters that all policies let be edited; several people edit before it runs only. */
        Optional<ObjectNode> editedArgs() {
            if (policies.stream().anyMatch(policy -> !policy.approvals().equals(Voices.ONE))) {
                return Optional.empty();
            }
            return options(policies)
                    .map(AnswerOptions::editable)
                    .orElseGet(() -> Optional.of(ToolSchemas.parameterNames(tool)))
                    .flatMap(editable -> ToolSchemas.editedArgs(tool, arguments, editable));
        }

        private static Optional<AnswerOptions> options(List<Policy> asking) {
            return asking.stream().map(Policy::options).reduce(AnswerOptions::and);
        }

        /** Without policies, every call may run. */
        boolean isEmpty() {
            return policies.isEmpty();
        }

        boolean idempotent() {
            return policies.stream().anyMatch(Policy::idempotent);
        }

        ToolSpecification tool() {
            return tool;
        }

        /** The sentences of the application that a person may read; its own order of policies does not matter. */
        List<String> sentences() {
            return policies.stream()
                    .map(policy -> policy.message().source())
                    .filter(sentence -> !sentence.isBlank())
                    .distinct()
                    .sorted()
                    .toList();
        }

        List<Policy> all() {
            return policies;
        }

        /**
         * The one question of several policies that ask about a call: the first sentence and preview, the shortest time, and the
         * answers that every one of them takes.
         */
        QuestionTemplate together(List<Policy> asking) {
            if (asking.size() < policies.size()) {
                return ofSome(asking);
            }
            QuestionTemplate known = ofAll;
            if (known == null) {
                known = ofSome(policies);
                ofAll = known;
            }
            return known;
        }

        private QuestionTemplate ofSome(List<Policy> asking) {
            AnswerOptions options = options(asking).orElseThrow();
            Remembering remembering =
                    destructive ? Remembering.NEVER : asking.get(0).remembering();
            Optional<Preview> preview = Optional.empty();
            Optional<Timeline> timeline = Optional.empty();
            Approvals approvals = Voices.ONE;
            for (Policy policy : asking) {
                approvals = Voices.strictest(approvals, policy.approvals());
                remembering = remembering.and(policy.remembering());
                preview = preview.or(policy::preview);
                Optional<Timeline> before = timeline;
                timeline = policy.timeline()
                        .map(other -> before.map(ours -> ours.and(other)).orElse(other))
                        .or(() -> before);
            }
            ObjectNode approval =
                    schemas.computeIfAbsent(options, allowed -> ToolSchemas.approval(tool, arguments, allowed));
            Remembering kept = approvals.equals(Voices.ONE) ? remembering : Remembering.NEVER;
            return new QuestionTemplate(
                    approvals.equals(Voices.ONE) ? Question.Kind.APPROVAL : Question.Kind.APPROVALS,
                    "tool_call",
                    asking.get(0).message(),
                    ApprovalForm.withRemembering(approval, kept),
                    kept,
                    preview,
                    timeline,
                    approvals);
        }
    }
}
