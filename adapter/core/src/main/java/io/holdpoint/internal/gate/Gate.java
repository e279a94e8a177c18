package io.holdpoint.internal.gate;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.langchain4j.agent.tool.ToolExecutionRequest;
import dev.langchain4j.model.chat.request.json.JsonObjectSchema;
import io.holdpoint.ApprovalVerdict;
import io.holdpoint.Caller;
import io.holdpoint.Limits;
import io.holdpoint.PendingInterrupt;
import io.holdpoint.ProposedCall;
import io.holdpoint.agui.Interrupt;
import io.holdpoint.internal.LogText;
import io.holdpoint.internal.gate.GatedTool.QuestionTemplate;
import io.holdpoint.internal.gate.JavaArguments.Taken;
import io.holdpoint.internal.gate.MethodArguments.Misfit;
import io.holdpoint.internal.gate.ModelTexts.Refusal;
import io.holdpoint.internal.gate.ToolArguments.MalformedException;
import io.holdpoint.internal.schema.JsonSchemas;
import io.holdpoint.rule.Answering;
import io.holdpoint.rule.Approved;
import io.holdpoint.rule.Rule;
import io.holdpoint.store.Call.Answer;
import io.holdpoint.store.Call.Question;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Gives the verdict on one call. Earlier decisions about the same call are not looked at. Thread-safe. */
public final class Gate {

    private static final Logger LOG = LoggerFactory.getLogger(Gate.class);

    /** Clients may make up tools. */
    private static final int MAX_REMARKED = 1_000;

    /** The field of a question's metadata with the sentences that say why a person is asked. */
    public static final String WHY = "why";

    /** The field that an amended question has: the hash of what people were shown before, who may answer it all the same. */
    public static final String FINGERPRINT = "fingerprint";

    /** The fields of a question's metadata, and of what the trail says of it, that are not sections of rules. */
    static final Set<String> OWN = Set.of(
            "toolName",
            "args",
            "argsSha256",
            "argsDigits",
            "argsOrder",
            "timeline",
            "approvals",
            "decideByLink",
            "rememberWithin",
            WHY,
            FINGERPRINT,
            "reversibility",
            "batchReversibility",
            "editedBy",
            "editedFrom",
            "openToEditor",
            "unusedGrant",
            "delegatedBy",
            "proposedBy",
            "handed",
            "mayDecide",
            "refused",
            "settled",
            "error",
            "attempts",
            "idempotencyKey",
            "notAsked",
            "shadow",
            "grant",
            "reason",
            "characters",
            "expiresAt",
            "labels",
            "arguments");

    private final Clock clock;
    private final Set<String> remarked = ConcurrentHashMap.newKeySet();
    private final JsonSchemas schemas = new JsonSchemas();

    /** The run that a call belongs to, the caller that it is made for, and the one who has proposed it if no model did. */
    public record Scope(Caller caller, String threadId, String runId, Optional<String> proposer) {}

    public Gate(Clock clock) {
        this.clock = clock;
    }

    /** Gives the verdict on a call of a known tool that a model has proposed; the request has the call's final id. */
    public Verdict decide(ToolExecutionRequest request, GatedTool tool, Scope scope) {
        Verdict verdict = decide(request.id(), request.arguments(), tool, scope);
        if (verdict.misfit().isPresent()) {
            remark(tool, verdict.misfit().get());
        }
        return verdict;
    }

    /** Gives the verdict on a call, also with other arguments than those that were proposed, or that nobody has proposed. */
    public Verdict decide(String toolCallId, @Nullable String sent, GatedTool tool, Scope scope) {
        String proposed = sent == null ? "" : sent;
        if (proposed.length() > Limits.ARGUMENTS_LENGTH) {
            return tooLong(tool, proposed);
        }
        ObjectNode arguments;
        try {
            arguments = tool.arguments().complete(ToolArguments.parse(proposed));
        } catch (MalformedException e) {
            return Verdict.refuse(proposed, ModelTexts.malformed(tool.name(), e.getMessage()), Optional.of(e));
        }
        Taken taken = tool.taken(arguments, schemas);
        String canonical = ToolArguments.write(taken.arguments());
        if (canonical.length() > Limits.ARGUMENTS_LENGTH) {
            return tooLong(tool, canonical);
        }
        List<Misfit> misfits = taken.misfits();
        if (!misfits.isEmpty()) { // no person could approve the call
            Refusal told = ModelTexts.invalid(
                    tool.name(), misfits.stream().map(Misfit::text).toList());
            Throwable why = misfits.get(0).cause().orElseGet(() -> new IllegalArgumentException(misfits.toString()));
            return Verdict.refuse(ToolArguments.write(arguments), told, Optional.of(why));
        }
        ProposedCall call = new ProposedCall(
                tool.specification(), taken.arguments(), scope.caller(), scope.threadId(), scope.runId(), toolCallId);
        List<Policy> asking = new ArrayList<>();
        Set<String> why = new LinkedHashSet<>();
        Optional<Refusal> denied = denied(call, tool, asking, why);
        if (denied.isPresent()) {
            return Verdict.refuse(canonical, denied.get(), Optional.empty());
        }
        if (tool.question().isPresent()) {
            return ask(call, canonical, tool.question().get(), scope.proposer(), Set.of()); // it is asked in any case
        }
        return asking.isEmpty()
                ? Verdict.allow(canonical, call)
                : ask(call, canonical, tool.policies().together(asking), scope.proposer(), why);
    }

    /** Asks the conditions, up to the first that denies the call; adds the policies that want a person, and why. */
    private static Optional<Refusal> denied(ProposedCall call, GatedTool tool, List<Policy> asking, Set<String> why) {
        for (Policy policy : tool.policies().all()) {
            if (policy.alwaysAsks()) {
                asking.add(policy);
                continue;
            }
            ApprovalVerdict verdict = policy.evaluate(call);
            if (verdict instanceof ApprovalVerdict.Deny deny) {
                return Optional.of(ModelTexts.denied(tool.name(), deny.reason()));
            }
            if (verdict instanceof ApprovalVerdict.RequireApproval required) {
                asking.add(policy);
                required.reason().ifPresent(why::add);
            }
        }
        return Optional.empty();
    }

    /** Asks the conditions whether one denies by now what people have decided about; that a person is to be asked counts no more. */
    public Optional<Refusal> denial(String toolCallId, String arguments, GatedTool tool, Scope scope) {
        if (!hasCondition(tool)) {
            return Optional.empty();
        }
        ProposedCall call = proposed(scope, tool, toolCallId, ToolArguments.read(arguments));
        return denied(call, tool, new ArrayList<>(), new HashSet<>());
    }

    private static boolean hasCondition(GatedTool tool) {
        for (Policy policy : tool.policies().all()) {
            if (!policy.alwaysAsks()) {
                return true;
            }
        }
        return false;
    }

    /** The same question with a change of its {@code metadata.langchain4j}. One without metadata, as none is here, stays as it is. */
    public static Question annotated(Question question, Consumer<ObjectNode> change) {
        Interrupt interrupt = question.interrupt().copy();
        if (interrupt.metadata() != null) {
            change.accept(interrupt.metadata().withObject("/langchain4j"));
        }
        return question.with(interrupt);
    }

    /** The same question with sentences before its own that say why it is asked. */
    public static Question because(Question question, Collection<String> why) {
        List<String> shown = new ArrayList<>();
        for (String sentence : why) {
            if (!sentence.isBlank()) {
                shown.add(ModelTexts.shown(sentence));
            }
        }
        return shown.isEmpty()
                ? question
                : annotated(
                        said(question, String.join(" ", shown) + " "),
                        metadata -> shown.forEach(metadata.withArray("/" + WHY)::add));
    }

    /** The same question with words before its sentence. */
    public static Question said(Question question, String before) {
        Interrupt asked = question.interrupt();
        return question.with(asked.withMessage(before + Objects.requireNonNullElse(asked.message(), "")));
    }

    /** The {@code metadata.langchain4j} of a question, which is about its call; missing if there is none. */
    public static JsonNode metadata(Question question) {
        ObjectNode metadata = question.interrupt().metadata();
        return metadata == null ? MissingNode.getInstance() : metadata.path("langchain4j");
    }

    /** Asks about a call that may run, as all policies of its tool would. */
    public Verdict insist(Verdict allowed, GatedTool tool) {
        return ask(allowed.call(), allowed.arguments(), tool.policies().ofAll(), Optional.empty(), Set.of());
    }

    /** The call as it would run with other arguments, for what the application has to say about it. */
    public static ProposedCall proposed(Scope scope, GatedTool tool, String toolCallId, ObjectNode arguments) {
        return new ProposedCall(
                tool.specification(),
                tool.arguments().taken(arguments).arguments(),
                scope.caller(),
                scope.threadId(),
                scope.runId(),
                toolCallId);
    }

    /** The call that an answer lets run, for what a rule says of it before the claim. */
    public static Approved approved(
            ProposedCall call, String rule, Question shown, boolean edited, Answer by, Instant now) {
        JsonNode payload = by.payload();
        JsonNode section = metadata(shown).path(rule).deepCopy();
        return new Approved(
                call,
                section,
                edited || section.isMissingNode(),
                payload == null ? MissingNode.getInstance() : payload.path(rule).deepCopy(),
                shown.askedAt(),
                now);
    }

    private static Verdict tooLong(GatedTool tool, String arguments) {
        int limit = Limits.ARGUMENTS_LENGTH;
        Throwable why = new IllegalArgumentException("the arguments are longer than " + limit + " characters");
        return Verdict.refuse(arguments.substring(0, limit), ModelTexts.tooLong(tool.name(), limit), Optional.of(why));
    }

    /** Tells the developer once: a tool whose arguments never fit is not the model's mistake. */
    private void remark(GatedTool tool, Throwable why) {
        if (remarked.size() < MAX_REMARKED && remarked.add(tool.name())) {
            LOG.warn(
                    "A call of the tool \"{}\" was refused to the model because of its arguments, and nobody was asked; further"
                            + " refusals of this tool are not logged. The cause: {}",
                    tool.name(),
                    LogText.of(why) + declared(tool, why));
        }
    }

    /** Names the parameters that a refusal is about; its text may quote values. */
    private static String declared(GatedTool tool, Throwable why) {
        JsonObjectSchema parameters = tool.specification().parameters();
        List<String> words = List.of(String.valueOf(why.getMessage()).split("\\W+"));
        String names = parameters == null
                ? ""
                : parameters.properties().keySet().stream()
                        .filter(words::contains)
                        .sorted()
                        .collect(Collectors.joining(", "));
        return names.isEmpty() ? "" : ", about: " + names;
    }

    /**
     * Shows arguments in the metadata of a question: they, their hash and, for clients that read numbers as {@code double}, as JavaScript
     * does, the digits of those that are none, by their paths.
     */
    public static void show(ObjectNode langchain4j, ObjectNode arguments, String canonical) {
        langchain4j.set("args", arguments);
        langchain4j.put("argsSha256", ToolArguments.sha256(canonical));
        ObjectNode digits = JsonNodeFactory.instance.objectNode();
        digits(arguments, "", digits);
        langchain4j.remove("argsDigits");
        if (!digits.isEmpty()) {
            langchain4j.set("argsDigits", digits);
        }
    }

    private static void digits(JsonNode value, String path, ObjectNode found) {
        if (value.isNumber() && !WrittenBack.isDouble(value.decimalValue())) {
            found.put(path, value.toString());
        }
        for (Map.Entry<String, JsonNode> field : value.properties()) {
            digits(field.getValue(), ToolArguments.step(path, field.getKey()), found);
        }
        for (int i = 0; value.isArray() && i < value.size(); i++) {
            digits(value.get(i), path + "/" + i, found);
        }
    }

    private Verdict ask(
            ProposedCall call,
            String canonical,
            QuestionTemplate template,
            Optional<String> proposer,
            Set<String> why) {
        Question question = template.about(call, canonical, proposer, clock.instant());
        return Verdict.ask(canonical, because(question, why), template, call);
    }

    /**
     * The gate's word on one call of a batch. The arguments are the canonical text; as proposed if they are malformed, and cut if they are
     * too long. {@code misfit} is the mistake in the arguments, if one is the reason of a refusal. Immutable.
     */
    public record Verdict(
            Kind kind,
            String arguments,
            @Nullable Question question,
            @Nullable QuestionTemplate template,
            @Nullable ProposedCall call,
            @Nullable Refusal refusal,
            Optional<Throwable> misfit) {

        public enum Kind {
            /** The call may run once the whole batch may. */
            ALLOW,
            /** A person must be asked. */
            ASK,
            /** The call does not run, and no person is asked. */
            REFUSE
        }

        static Verdict allow(String arguments, ProposedCall call) {
            return new Verdict(Kind.ALLOW, arguments, null, null, call, null, Optional.empty());
        }

        static Verdict ask(String arguments, Question question, QuestionTemplate template, ProposedCall call) {
            return new Verdict(Kind.ASK, arguments, question, template, call, null, Optional.empty());
        }

        static Verdict refuse(String arguments, Refusal refusal, Optional<Throwable> misfit) {
            return new Verdict(Kind.REFUSE, arguments, null, null, null, refusal, misfit);
        }

        @Override
        public ProposedCall call() {
            return Objects.requireNonNull(call);
        }

        /** The question of an {@link Kind#ASK}, without what rules show of the call. */
        @Override
        public Question question() {
            return Objects.requireNonNull(question);
        }

        /**
         * Checks whether what people have answered to a question about the call with other arguments is enough for an {@link Kind#ASK} as
         * well: those who had to, with what had to be repeated, and by a link only if links decide.
         */
        public boolean isApprovedBy(Question before, List<Answer> answers) {
            boolean byLink = answers.stream().anyMatch(answer -> Answer.LINK.equals(answer.via()));
            return new Voices(Voices.of(question()).approvals(), Voices.escalated(before)).areEnough(answers)
                    && answersTo(answers.get(answers.size() - 1))
                    && (!byLink || ApprovalForm.isDecidedByLink(question()));
        }

        private boolean answersTo(Answer last) {
            List<Rule> wanted = Objects.requireNonNull(template).rules();
            return Rules.refusal(
                            wanted,
                            call().toolName(),
                            none -> new Answering(
                                    Policy.copy(call()),
                                    PendingInterrupt.of(question().interrupt().copy()),
                                    last.payload() == null
                                            ? none
                                            : last.payload().deepCopy(),
                                    Voices.voter(last),
                                    none))
                    .isEmpty();
        }

        /** The offer to remember the answer to an {@link Kind#ASK}. */
        public Remembering remembering() {
            return Objects.requireNonNull(template).remembering();
        }

        /** The reason of a {@link Kind#REFUSE}. */
        @Override
        public Refusal refusal() {
            return Objects.requireNonNull(refusal);
        }
    }
}
