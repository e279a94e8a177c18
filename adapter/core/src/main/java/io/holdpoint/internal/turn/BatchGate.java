package io.holdpoint.internal.turn;

import dev.langchain4j.agent.tool.ToolExecutionRequest;
import dev.langchain4j.data.message.AiMessage;
import dev.langchain4j.service.tool.ToolExecutionResult;
import io.holdpoint.Limits;
import io.holdpoint.internal.Ids;
import io.holdpoint.internal.gate.Gate.Verdict;
import io.holdpoint.internal.gate.GatedTool;
import io.holdpoint.internal.gate.ModelTexts;
import io.holdpoint.internal.gate.ToolArguments;
import io.holdpoint.internal.memory.ChatMessageJson;
import io.holdpoint.store.Batch;
import io.holdpoint.store.Call;
import io.holdpoint.store.TurnRecord;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Turns a message with tool calls into a batch: every call gets its verdict before the batch is stored and before any runs. */
final class BatchGate {

    private static final Logger LOG = LoggerFactory.getLogger(BatchGate.class);

    private final TurnTools tools;
    private final ToolLoop loop;
    private final TurnRecord turn;

    BatchGate(TurnTools tools, ToolLoop loop, TurnRecord turn) {
        this.tools = tools;
        this.loop = loop;
        this.turn = turn;
    }

    Gated gate(String threadId, AiMessage proposed, String messageId) {
        String json = ChatMessageJson.write(proposed);
        AiMessage stored = ChatMessageJson.read(AiMessage.class, json);
        if (!stored.equals(proposed)) {
            LOG.warn(
                    "The model's message {} has attributes that do not survive being stored as JSON; they are dropped",
                    messageId);
        }
        List<Call> calls = new ArrayList<>();
        for (ToolExecutionRequest request : stored.toolExecutionRequests()) {
            calls.add(calls.size() < limits().callsPerMessage() ? call(request) : tooMany(request));
        }
        return new Gated(Batch.of(Ids.batch(), threadId, turn, new Batch.ModelMessage(messageId, json), calls), stored);
    }

    /** The batch to store, and the model's message as it was stored. */
    record Gated(Batch batch, AiMessage message) {}

    private Call call(ToolExecutionRequest request) {
        Optional<GatedTool> tool = tools.find(request.name());
        if (tool.isEmpty()) {
            ToolExecutionResult answer = loop.hallucinated(request);
            return settled(request, tool, Objects.requireNonNullElse(request.arguments(), ""), answer);
        }
        Verdict verdict = tools.gate.decide(request, tool.get(), tools.scope);
        String arguments = verdict.arguments();
        Call asProposed = pending(request, tool, arguments);
        if (turn.declined().contains(TurnRecord.key(asProposed))) {
            return settled(request, tool, arguments, ToolResult.error(ModelTexts.repeated(request.name())));
        }
        return switch (verdict.kind()) {
            case ALLOW -> asProposed;
            case ASK -> asked(tool.get(), verdict, asProposed);
            case REFUSE -> settled(request, tool, arguments, ToolResult.error(verdict.refusal()));
        };
    }

    private Call asked(GatedTool tool, Verdict verdict, Call asProposed) {
        Grants.Found found = tools.grants.find(verdict.question(), tool, verdict.arguments());
        return found.grant().isPresent()
                ? asProposed.letThroughBy(found.grant().get().id())
                : asProposed.heldBy(verdict.withPreview(found.question()));
    }

    private Call tooMany(ToolExecutionRequest request) {
        String proposed = Objects.requireNonNullElse(request.arguments(), "");
        String kept = proposed.substring(0, Math.min(proposed.length(), limits().argumentsLength()));
        String answer = ModelTexts.tooMany(request.name(), limits().callsPerMessage());
        return settled(request, tools.find(request.name()), kept, ToolResult.error(answer));
    }

    private Limits limits() {
        return tools.gate.limits();
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
