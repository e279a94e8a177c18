package io.holdpoint.internal.turn;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.langchain4j.agent.tool.ToolExecutionRequest;
import dev.langchain4j.agent.tool.ToolSpecification;
import dev.langchain4j.data.message.AiMessage;
import dev.langchain4j.model.output.TokenUsage;
import dev.langchain4j.service.IllegalConfigurationException;
import dev.langchain4j.service.tool.ToolExecutionResult;
import dev.langchain4j.service.tool.ToolExecutor;
import io.holdpoint.Caller;
import io.holdpoint.ErrorCode;
import io.holdpoint.Limits;
import io.holdpoint.ProposedCall;
import io.holdpoint.RunRejectedException;
import io.holdpoint.agui.Message;
import io.holdpoint.internal.Ids;
import io.holdpoint.internal.gate.ClientTool;
import io.holdpoint.internal.gate.EditedQuestion;
import io.holdpoint.internal.gate.Gate;
import io.holdpoint.internal.gate.Gate.Verdict;
import io.holdpoint.internal.gate.GatedTool;
import io.holdpoint.internal.gate.ModelTexts;
import io.holdpoint.internal.gate.ModelTexts.Refusal;
import io.holdpoint.internal.gate.Policy;
import io.holdpoint.internal.gate.Rules;
import io.holdpoint.internal.gate.ToolArguments;
import io.holdpoint.internal.gate.Voices;
import io.holdpoint.internal.input.Access;
import io.holdpoint.internal.journal.Audit;
import io.holdpoint.internal.memory.ChatMessageJson;
import io.holdpoint.internal.question.NextStep;
import io.holdpoint.internal.question.OutcomeUnknown;
import io.holdpoint.internal.question.ToolError;
import io.holdpoint.rule.Approved;
import io.holdpoint.rule.Proposal;
import io.holdpoint.rule.Read;
import io.holdpoint.rule.Rule;
import io.holdpoint.rule.Say;
import io.holdpoint.store.Batch;
import io.holdpoint.store.Call;
import io.holdpoint.store.Call.Question;
import io.holdpoint.store.Grant;
import io.holdpoint.store.RecordJson;
import io.holdpoint.store.Reversibility;
import io.holdpoint.store.TurnRecord;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The gate of one turn: it knows the tools that the turn can call, and turns a message with tool calls into a batch, in which
 * every call has its verdict before the batch is stored and before any of them runs. Thread-safe.
 */
public final class TurnGate {

    private static final Logger LOG = LoggerFactory.getLogger(TurnGate.class);

    private final Map<String, GatedTool> byName = new ConcurrentHashMap<>();
    /** The caller that the calls are made for. */
    public final Caller caller;

    private final Run run;
    private final Gate gate;
    private final Gate.Scope scope;
    private final Hearing hearing;

    /** The tokens that rules took for the calls of one message. */
    private volatile @Nullable TokenUsage usedByRules;

    /** The conversation before the calls of one message, once a rule has asked for it. */
    private volatile @Nullable List<Read> conversation;

    /** The grants as the calls of one message find them, one after another. */
    private volatile Grants remembered;

    /** Calls are decided about in this run, and made for this caller. */
    public TurnGate(Run run, Caller caller, Optional<String> proposer) {
        this.caller = caller;
        this.run = run;
        this.gate = run.config.gate;
        this.scope = new Gate.Scope(caller, run.threadId, run.runId, proposer);
        this.remembered = grants();
        this.hearing = new Hearing(
                run.config.timer, said -> Optional.ofNullable(said.usage()).ifPresent(this::spend));
    }

    /**
     * Takes note of a tool. Of two tools of one name LangChain4j runs one and ignores the other; whichever that is, a name
     * keeps every policy that applies to either.
     */
    public GatedTool add(ToolSpecification specification, ToolExecutor executor) {
        GatedTool added = run.config.policyReader.of(specification, executor);
        byName.merge(specification.name(), added, GatedTool::and);
        return added;
    }

    /** Checks whether a tool of the client can be gated: a policy that does not fit must not fail every run that brings it. */
    public boolean canTake(ToolSpecification ofClient) {
        try {
            run.config.policyReader.of(ofClient, ClientTool.INSTANCE);
            return true;
        } catch (IllegalConfigurationException e) {
            LOG.warn("The tool \"{}\" of the client is left out: {}", ofClient.name(), e.getMessage());
            return false;
        }
    }

    /** The calls that nobody has proposed yet. */
    public LaterCalls later() {
        return new LaterCalls(this, run, scope);
    }

    Optional<GatedTool> find(String toolName) {
        return toolName == null ? Optional.empty() : Optional.ofNullable(byName.get(toolName));
    }

    /** Gives the verdict on a call of one of the tools. */
    public Verdict decide(ToolExecutionRequest request, GatedTool tool) {
        return gate.decide(request, tool, scope);
    }

    /** Gives the verdict on a call of one of the tools with other arguments than it was proposed with, or that nobody has proposed. */
    Verdict decide(String toolCallId, String arguments, GatedTool tool) {
        return gate.decide(toolCallId, arguments, tool, scope);
    }

    /** Asks the conditions whether one denies a call by now that people have approved. */
    Optional<Refusal> denial(Call call, GatedTool tool, String arguments) {
        return gate.denial(call.toolCallId(), arguments, tool, scope);
    }

    /** Asks the rules whether one keeps a call from running with the arguments that it is about to run with. */
    Optional<Refusal> veto(Call call, GatedTool tool, String arguments) {
        if (tool.rules().isEmpty()) {
            return Optional.empty();
        }
        return Rules.veto(tool.rules(), Gate.proposed(scope, tool, call.toolCallId(), ToolArguments.read(arguments)))
                .map(why -> ModelTexts.denied(call.toolName(), why));
    }

    /** The words of rules right before an approved call is claimed, by their names. A call that goes on after a question of its tool has begun. */
    Map<String, Say> beforeClaim(Call call, GatedTool tool, NextStep.Execute execute) {
        if (tool.rules().isEmpty()) {
            return Map.of();
        }
        Question decisive = call.answered().orElseThrow().question();
        boolean begins = decisive.isForApproval()
                || decisive.kind() == Question.Kind.TOOL_ERROR
                || decisive.kind() == Question.Kind.OUTCOME_UNKNOWN;
        return begins
                ? Rules.beforeClaim(tool.rules(), call.toolName(), name -> approved(call, tool, execute, name))
                : Map.of();
    }

    private Approved approved(Call call, GatedTool tool, NextStep.Execute execute, String rule) {
        Call.Asked decisive = call.answered().orElseThrow();
        Question shown = decisive.question();
        for (Question each :
                shown.isForApproval() ? List.<Question>of() : call.questions()) { // one of the tool shows the call only
            shown = Gate.metadata(each).has(rule) && !Voices.isDelegated(each) ? each : shown;
        }
        return Gate.approved(
                Gate.proposed(scope, tool, call.toolCallId(), ToolArguments.read(execute.arguments())),
                rule,
                shown,
                !NextStep.asked(call, shown, tool.arguments()).equals(execute.arguments()),
                decisive.answer().orElseThrow(),
                run.clock.instant());
    }

    /** The question in place of the claim of a call that would run: about what it would run with, with what rules have said. */
    Question again(Call call, GatedTool tool, NextStep.Execute execute, Verdict verdict, Map<String, Say> said) {
        Call.Asked decisive = call.answered().orElseThrow();
        Question before = decisive.question();
        Instant now = run.clock.instant();
        String arguments = execute.arguments();
        Question asked =
                switch (before.kind()) {
                    case TOOL_ERROR -> ToolError.ask(call, arguments, ToolError.error(before), tool, now);
                    case OUTCOME_UNKNOWN -> whatBecameOf(call);
                    default -> {
                        Verdict asking = verdict.kind() == Verdict.Kind.ALLOW ? gate.insist(verdict, tool) : verdict;
                        List<Rule> others = new ArrayList<>(tool.rules());
                        others.removeIf(rule -> said.containsKey(rule.name()));
                        yield Rules.shown(asking.question(), others, asking.call(), Gate.metadata(before));
                    }
                };
        Question next = NextStep.asked(call, before, tool.arguments()).equals(arguments)
                ? EditedQuestion.inPlaceOf(decisive, asked, run.config.policyReader.rules)
                : edited(call, decisive, ToolArguments.read(arguments), asked, now);
        Question told = Gate.annotated(next, metadata -> {
            said.forEach((rule, say) -> say.said().ifPresent(own -> metadata.set(rule, own)));
            call.proposedBy().ifPresent(caller -> metadata.put(Batch.PROPOSED_BY, caller));
        });
        return Gate.because(told, Rules.why(said));
    }

    /** The question in place of another attempt of a claimed call. */
    Question whatBecameOf(Call call) {
        return OutcomeUnknown.ask(call, ModelTexts.unknownOutcomeQuestion(call.toolName()), run.clock.instant());
    }

    /** Others need not approve what was edited, or they would have been asked when it was. */
    private Question edited(Call call, Call.Asked decisive, ObjectNode arguments, Question asked, Instant now) {
        Caller editor = Voices.voter(decisive.answer().orElseThrow());
        return EditedQuestion.openToEditor(
                new EditedQuestion(call, decisive.question(), arguments, editor, run.config.policyReader.rules)
                        .marked(asked, now));
    }

    /** Checks whether the people who have let a call run may still do so. */
    boolean mayStillRun(Call call) {
        return access().mayStillRun(call, run.threadId, caller.id());
    }

    /** Checks whether the grant that let a call through, if one did, still covers it with these arguments. */
    boolean stillAllows(Call call, Verdict verdict, GatedTool tool, String arguments) {
        return call.grantId() != null && grants().stillAllow(call, verdict, tool, arguments);
    }

    private Grants grants() {
        return new Grants(run, access());
    }

    private Access access() {
        return new Access(run.config);
    }

    // --- a batch

    /** The round is the turn as the batch continues it. */
    Gated batch(TurnRecord round, ToolLoop loop, AiMessage proposed, String messageId) {
        String json = ChatMessageJson.write(proposed);
        AiMessage stored = ChatMessageJson.asStored(proposed, json);
        if (!stored.equals(proposed)) {
            LOG.warn(
                    "The model's message {} has attributes that do not survive being stored as JSON; they are dropped",
                    messageId);
        }
        List<Reversibility> said = new ArrayList<>();
        for (ToolExecutionRequest request : stored.toolExecutionRequests()) {
            Optional<GatedTool> tool = find(request.name());
            if (tool.isPresent() && tool.get().reversibility().isPresent()) {
                said.add(tool.get().reversibility().get());
            }
        }
        List<Call> calls = calls(round, loop, stored.toolExecutionRequests(), Reversibility.strictest(said));
        int asked = 0;
        for (Call call : calls) {
            asked += call.openQuestion().isPresent() ? 1 : 0;
        }
        TurnRecord turn = TurnPreparation.used(round, usedByRules).withQuestions(asked);
        String id = scope.proposer().isEmpty() ? Ids.batch() : turn.userMessageId();
        return new Gated(Batch.of(id, scope.threadId(), turn, new Batch.ModelMessage(messageId, json), calls), stored);
    }

    /** All rules are asked at once, and waited for together. */
    private List<Call> calls(
            TurnRecord round, ToolLoop loop, List<ToolExecutionRequest> requests, Optional<Reversibility> highest) {
        remembered = grants();
        usedByRules = null;
        conversation = null;
        try {
            List<Gating> gatings = new ArrayList<>();
            for (ToolExecutionRequest request : requests) {
                gatings.add(
                        gatings.size() < Limits.CALLS_PER_MESSAGE
                                ? call(round, loop, request, highest)
                                : began -> tooMany(request));
            }
            long began = System.nanoTime();
            List<Call> calls = new ArrayList<>();
            int left = run.limits.questionsPerTurn() - round.questions();
            for (Gating each : gatings) {
                Call call = each.ruled(began);
                boolean asks = call.openQuestion().isPresent();
                calls.add(asks && left <= 0 ? unaskable(requests.get(calls.size()), call) : call);
                left -= asks ? 1 : 0;
            }
            return calls;
        } finally {
            hearing.end();
        }
    }

    /** A call with its verdict, which rules may tighten. */
    @FunctionalInterface
    private interface Gating {

        /** Waits for the rules that take their time, which they have since {@code began}. */
        Call ruled(long began);
    }

    /** No longer waits for rules: the run is stopped. */
    void stop() {
        hearing.stop();
    }

    /** The batch to store, and the model's message as it was stored. */
    record Gated(Batch batch, AiMessage message) {}

    private Gating call(
            TurnRecord round, ToolLoop loop, ToolExecutionRequest request, Optional<Reversibility> highest) {
        Optional<GatedTool> tool = find(request.name());
        if (tool.isEmpty() && scope.proposer().isPresent()) {
            String named = ModelTexts.shown(request.name());
            throw invalid("tool: this agent has no tool \"" + named + "\". Name one that it has.");
        }
        if (tool.isEmpty()) {
            ToolExecutionResult answer = loop.hallucinated(request);
            Call unknown = settled(request, Objects.requireNonNullElse(request.arguments(), ""), answer);
            return began -> unknown;
        }
        Verdict verdict = decide(request, tool.get());
        if (scope.proposer().isPresent() && verdict.misfit().isPresent()) {
            throw invalid("arguments: " + verdict.refusal().why());
        }
        String arguments = verdict.arguments();
        Call asProposed = shadowed(call(request, tool, arguments, tool.get().ofClient()), verdict, tool.get());
        if (!round.declined().isEmpty() && round.declined().contains(TurnRecord.key(asProposed))) {
            Call repeated = settled(request, arguments, ToolResult.error(ModelTexts.repeated(request.name())));
            return began -> repeated;
        }
        if (verdict.kind() != Verdict.Kind.REFUSE && !tool.get().speakers().isEmpty()) {
            return ruled(round, request, tool.get(), verdict, asProposed, highest);
        }
        Call decided =
                switch (verdict.kind()) {
                    case ALLOW -> asProposed;
                    case ASK -> asked(tool.get(), verdict, asProposed, highest);
                    case REFUSE ->
                        settled(
                                request,
                                arguments,
                                verdict.misfit()
                                        .flatMap(why -> loop.misfit(request, why))
                                        .orElseGet(() -> ToolResult.error(
                                                verdict.refusal().asProposed())));
                };
        return began -> decided;
    }

    private static RunRejectedException invalid(String why) {
        return new RunRejectedException(ErrorCode.INPUT_INVALID, why);
    }

    private Call shadowed(Call proposed, Verdict verdict, GatedTool tool) {
        if (verdict.kind() == Verdict.Kind.REFUSE || !tool.isShadowed()) {
            return proposed;
        }
        ProposedCall call = verdict.call();
        ArrayNode would = tool.wouldBe(Gate.proposed(scope, tool, call.toolCallId(), call.arguments()));
        return would.isEmpty() ? proposed : proposed.remarked(Audit.SHADOW, would);
    }

    private Call asked(GatedTool tool, Verdict verdict, Call asProposed, Optional<Reversibility> highest) {
        if (verdict.remembering().scopes().isEmpty()) {
            return held(asProposed, verdict, tool, classed(verdict.question(), tool, highest));
        }
        Grants.Found found = remembered.find(verdict, tool);
        if (found.grant().isPresent()) {
            Grant grant = found.grant().get();
            Call through = asProposed.letThroughBy(grant.id());
            return grant.within() == null
                    ? through
                    : through.remarked(
                            Audit.NOT_ASKED, TextNode.valueOf(grant.within().describe()));
        }
        return held(asProposed, verdict, tool, classed(found.question(), tool, highest));
    }

    private static Call held(Call proposed, Verdict verdict, GatedTool tool, Question question) {
        return proposed.heldBy(Rules.shown(question, tool.rules(), verdict.call(), MissingNode.getInstance()));
    }

    /**
     * Says on the card whether what runs can be taken back, of this call and the strictest of all calls of the message, and who has proposed it
     * if no model did.
     */
    private Question classed(Question question, GatedTool tool, Optional<Reversibility> highest) {
        if (highest.isEmpty() && scope.proposer().isEmpty()) {
            return question;
        }
        return Gate.annotated(question, metadata -> {
            tool.reversibility().ifPresent(own -> metadata.put("reversibility", own.wireName()));
            highest.ifPresent(of -> metadata.put("batchReversibility", of.wireName()));
            scope.proposer().ifPresent(caller -> metadata.put(Batch.PROPOSED_BY, caller));
        });
    }

    /** A call about which rules have a say: they can make a person be asked, or keep it from running. */
    private Gating ruled(
            TurnRecord round,
            ToolExecutionRequest request,
            GatedTool tool,
            Verdict verdict,
            Call asProposed,
            Optional<Reversibility> highest) {
        boolean runs = verdict.kind() == Verdict.Kind.ALLOW;
        Verdict asking = runs ? gate.insist(verdict, tool) : verdict;
        Question shown = classed(asking.question(), tool, highest);
        String words = words(round);
        Hearing.Asked asked = hearing.about(
                tool.speakers(),
                () -> new Proposal(
                        Policy.copy(asking.call()),
                        words,
                        !runs,
                        tool.reversibility(),
                        tool.asksWithoutRules(),
                        () -> conversation(round),
                        intended -> later().outlook(intended)));
        return began -> {
            Hearing.Said said = asked.await(began);
            return switch (said.kind()) {
                case DENY ->
                    settled(
                            request,
                            verdict.arguments(),
                            ToolResult.error(
                                    ModelTexts.denied(tool.name(), said.why().get(0))
                                            .asProposed()));
                case ASK ->
                    asProposed.heldBy(
                            said.on(Rules.shown(shown, tool.rules(), asking.call(), MissingNode.getInstance())));
                case NOTHING -> {
                    Call decided = runs ? asProposed : asked(tool, verdict, asProposed, highest);
                    yield decided.openQuestion()
                            .map(question -> asProposed.heldBy(said.on(question)))
                            .orElseGet(() -> said.on(decided));
                }
            };
        };
    }

    /** The texts that the model did not write itself: the transcript has it, also where the chat memory has let go of it. */
    private List<Read> conversation(TurnRecord round) {
        List<Read> known = conversation;
        if (known == null) {
            List<Read> reads = new ArrayList<>();
            Map<String, String> tools = new HashMap<>();
            for (Message message : run.journal.transcript()) {
                if (message instanceof Message.Assistant said) {
                    said.toolCalls().forEach(call -> tools.put(call.id(), call.name()));
                } else if (message instanceof Message.Tool result) {
                    String id = result.toolCallId();
                    reads.add(new Read(
                            Read.Kind.RESULT,
                            tools.getOrDefault(id, ""),
                            id,
                            result.content().asText()));
                } else if (message instanceof Message.User said) {
                    Read.Kind kind = run.config.isTool() ? Read.Kind.TASK : Read.Kind.MESSAGE;
                    reads.add(new Read(kind, "", "", said.content().asText()));
                }
            }
            round.prepared().retrieved().forEach(found -> reads.add(new Read(Read.Kind.RETRIEVED, "", "", found)));
            known = List.copyOf(reads);
            conversation = known;
        }
        return known;
    }

    private void spend(io.holdpoint.agui.TokenUsage by) {
        TokenUsage used = TurnPreparation.usage(by);
        run.spends(null, by.model(), used);
        usedByRules = TokenUsage.sum(usedByRules, used);
    }

    /** The user's own words; the task of an agent that works as a tool is what another model said, and a proposal has none. */
    private String words(TurnRecord round) {
        StringBuilder words = new StringBuilder();
        if (!run.config.isTool() && scope.proposer().isEmpty()) {
            JsonNode message = RecordJson.read(round.userMessage(), JsonNode.class);
            message.path("contents")
                    .forEach(content -> words.append(content.path("text").asText()));
        }
        return words.toString();
    }

    private Call unaskable(ToolExecutionRequest request, Call call) {
        String answer = ModelTexts.tooManyQuestions(request.name(), run.limits.questionsPerTurn());
        return settled(request, call.arguments(), ToolResult.error(answer));
    }

    private Call tooMany(ToolExecutionRequest request) {
        String proposed = Objects.requireNonNullElse(request.arguments(), "");
        String kept = proposed.substring(0, Math.min(proposed.length(), Limits.ARGUMENTS_LENGTH));
        String answer = ModelTexts.tooMany(request.name(), Limits.CALLS_PER_MESSAGE);
        return settled(request, kept, ToolResult.error(answer));
    }

    private Call settled(ToolExecutionRequest request, String arguments, ToolExecutionResult answer) {
        Call pending = call(request, find(request.name()), arguments, false);
        return pending.refused(
                ToolResult.of(pending, ToolResult.withText(answer)).stored());
    }

    private Call call(ToolExecutionRequest request, Optional<GatedTool> tool, String arguments, boolean leftToClient) {
        Call.Proposal proposal = new Call.Proposal(
                request.name(),
                arguments,
                ToolArguments.sha256(arguments),
                tool.isPresent() ? tool.get().sha256() : "",
                tool.isPresent() && tool.get().idempotent(),
                leftToClient,
                null,
                scope.proposer().isPresent() ? proposedBy(scope.proposer().get()) : null);
        return Call.pending(request.id(), proposal, Ids.message());
    }

    private static ObjectNode proposedBy(String id) {
        return JsonNodeFactory.instance.objectNode().put(Batch.PROPOSED_BY, id);
    }
}
