package io.holdpoint.internal.turn;

import dev.langchain4j.agent.tool.ToolExecutionRequest;
import dev.langchain4j.agent.tool.ToolSpecification;
import dev.langchain4j.data.message.AiMessage;
import dev.langchain4j.service.IllegalConfigurationException;
import dev.langchain4j.service.tool.ToolExecutionResult;
import dev.langchain4j.service.tool.ToolExecutor;
import io.holdpoint.Caller;
import io.holdpoint.Limits;
import io.holdpoint.internal.Ids;
import io.holdpoint.internal.gate.ClientTool;
import io.holdpoint.internal.gate.Gate;
import io.holdpoint.internal.gate.Gate.Verdict;
import io.holdpoint.internal.gate.GatedTool;
import io.holdpoint.internal.gate.ModelTexts;
import io.holdpoint.internal.gate.PolicyReader;
import io.holdpoint.internal.gate.ToolArguments;
import io.holdpoint.internal.input.Access;
import io.holdpoint.internal.memory.ChatMessageJson;
import io.holdpoint.store.Batch;
import io.holdpoint.store.Call;
import io.holdpoint.store.TurnRecord;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
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
    private final PolicyReader policies;
    private final Gate gate;
    private final Gate.Scope scope;

    /** Calls are decided about in this run, and made for this caller. */
    public TurnGate(Run run, Gate gate, Caller caller) {
        this.caller = caller;
        this.run = run;
        this.policies = run.config.policyReader;
        this.gate = gate;
        this.scope = new Gate.Scope(caller, run.threadId, run.runId);
    }

    /**
     * Takes note of a tool. Of two tools of one name LangChain4j runs one and ignores the other; whichever that is, a name
     * keeps every policy that applies to either.
     */
    public GatedTool add(ToolSpecification specification, ToolExecutor executor) {
        GatedTool added = policies.of(specification, executor);
        byName.merge(specification.name(), added, GatedTool::and);
        return added;
    }

    /** Checks whether a tool of the client can be gated: a policy that does not fit must not fail every run that brings it. */
    public boolean canTake(ToolSpecification ofClient) {
        try {
            policies.of(ofClient, ClientTool.INSTANCE);
            return true;
        } catch (IllegalConfigurationException e) {
            LOG.warn("The tool \"{}\" of the client is left out: {}", ofClient.name(), e.getMessage());
            return false;
        }
    }

    Optional<GatedTool> find(String toolName) {
        return Optional.ofNullable(toolName).map(byName::get);
    }

    /** Gives the verdict on a call of one of the tools. */
    public Verdict decide(ToolExecutionRequest request, GatedTool tool) {
        return gate.decide(request, tool, scope);
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
        return new Grants(run.store, run.threadId, run.clock, access());
    }

    private Access access() {
        return new Access(run.config.authorizer);
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
        List<Call> calls = new ArrayList<>();
        for (ToolExecutionRequest request : stored.toolExecutionRequests()) {
            calls.add(calls.size() < Limits.CALLS_PER_MESSAGE ? call(round, loop, request) : tooMany(request));
        }
        return new Gated(
                Batch.of(Ids.batch(), scope.threadId(), round, new Batch.ModelMessage(messageId, json), calls), stored);
    }

    /** The batch to store, and the model's message as it was stored. */
    record Gated(Batch batch, AiMessage message) {}

    private Call call(TurnRecord round, ToolLoop loop, ToolExecutionRequest request) {
        Optional<GatedTool> tool = find(request.name());
        if (tool.isEmpty()) {
            ToolExecutionResult answer = loop.hallucinated(request);
            return settled(request, tool, Objects.requireNonNullElse(request.arguments(), ""), answer);
        }
        Verdict verdict = decide(request, tool.get());
        String arguments = verdict.arguments();
        Call asProposed = pending(request, tool, arguments);
        if (round.declined().contains(TurnRecord.key(asProposed))) {
            return settled(request, tool, arguments, ToolResult.error(ModelTexts.repeated(request.name())));
        }
        return switch (verdict.kind()) {
            case ALLOW -> asProposed;
            case ASK -> asked(tool.get(), verdict, asProposed);
            case REFUSE ->
                settled(
                        request,
                        tool,
                        arguments,
                        verdict.misfit()
                                .flatMap(why -> loop.misfit(request, why))
                                .orElseGet(() -> ToolResult.error(verdict.refusal())));
        };
    }

    private Call asked(GatedTool tool, Verdict verdict, Call asProposed) {
        if (verdict.remembering().scopes().isEmpty()) {
            return asProposed.heldBy(verdict.withPreview(verdict.question()));
        }
        Grants.Found found = grants().find(verdict, tool);
        return found.grant().isPresent()
                ? asProposed.letThroughBy(found.grant().get().id())
                : asProposed.heldBy(verdict.withPreview(found.question()));
    }

    private Call tooMany(ToolExecutionRequest request) {
        String proposed = Objects.requireNonNullElse(request.arguments(), "");
        String kept = proposed.substring(0, Math.min(proposed.length(), Limits.ARGUMENTS_LENGTH));
        String answer = ModelTexts.tooMany(request.name(), Limits.CALLS_PER_MESSAGE);
        return settled(request, find(request.name()), kept, ToolResult.error(answer));
    }

    private static Call pending(ToolExecutionRequest request, Optional<GatedTool> tool, String arguments) {
        return call(request, tool, arguments, tool.filter(GatedTool::ofClient).isPresent());
    }

    private static Call settled(
            ToolExecutionRequest request, Optional<GatedTool> tool, String arguments, ToolExecutionResult answer) {
        Call pending = call(request, tool, arguments, false);
        return pending.refused(
                ToolResult.of(pending, ToolResult.withText(answer)).stored());
    }

    private static Call call(
            ToolExecutionRequest request, Optional<GatedTool> tool, String arguments, boolean leftToClient) {
        Call.Proposal proposal = new Call.Proposal(
                request.name(),
                arguments,
                ToolArguments.sha256(arguments),
                tool.map(GatedTool::sha256).orElse(""),
                tool.filter(GatedTool::idempotent).isPresent(),
                leftToClient,
                null);
        return Call.pending(request.id(), proposal, Ids.message());
    }
}
