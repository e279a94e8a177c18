package io.holdpoint.internal.turn;

import dev.langchain4j.data.message.AiMessage;
import dev.langchain4j.data.message.ChatMessage;
import dev.langchain4j.memory.ChatMemory;
import io.holdpoint.Limits;
import io.holdpoint.internal.gate.MethodArguments;
import io.holdpoint.internal.gate.ModelTexts;
import io.holdpoint.internal.memory.ChatMessageJson;
import io.holdpoint.internal.memory.ChatMessageJson.UnreadableRecordException;
import io.holdpoint.internal.memory.MemoryRepair;
import io.holdpoint.internal.memory.RememberedMessage;
import io.holdpoint.internal.question.Decision;
import io.holdpoint.store.Batch;
import io.holdpoint.store.Call;
import io.holdpoint.store.CallResult;
import io.holdpoint.store.CallState;
import io.holdpoint.store.Commit;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Brings a batch to its end without the AI Service: nothing of it runs any more, every call gets its result, and the chat
 * memory gets the batch.
 */
public final class BatchSettlement {

    private static final Logger LOG = LoggerFactory.getLogger(BatchSettlement.class);

    private final Run run;
    private final ChatMemory memory;
    private final Limits limits;
    private final UnaryOperator<String> notAskedAbout;
    private final UnaryOperator<String> approved;

    public BatchSettlement(Run run, ChatMemory memory, Limits limits) {
        this(run, memory, limits, ModelTexts::superseded, ModelTexts::abandoned);
    }

    private BatchSettlement(
            Run run,
            ChatMemory memory,
            Limits limits,
            UnaryOperator<String> notAskedAbout,
            UnaryOperator<String> approved) {
        this.run = run;
        this.memory = memory;
        this.limits = limits;
        this.notAskedAbout = notAskedAbout;
        this.approved = approved;
    }

    /** Says of what does not run that the run was cancelled. */
    public static BatchSettlement ofCancelled(Run run, ChatMemory memory, Limits limits) {
        return new BatchSettlement(run, memory, limits, ModelTexts::runCancelled, ModelTexts::runCancelled);
    }

    public void settle(Batch batch) {
        LiveBatch live = new LiveBatch(run, batch);
        live.announceSettled();
        for (Call call : batch.calls()) {
            if (!call.state().isSettled()) {
                Decision.Settle decision = withoutRunning(call);
                CallResult result = ToolResults.told(call, decision, limits).stored();
                live.settle(call.toolCallId(), decision.outcome(), result);
            }
        }
        remember(live.batch());
        live.remembered();
        run.commit(live.finishedIn(Commit.empty()).turnFinished());
    }

    private Decision.Settle withoutRunning(Call call) {
        return switch (call.state()) {
            case DECIDED -> Decision.of(call, MethodArguments.NONE).match(execute -> givenUp(call), settled -> settled);
            case CLAIMED -> givenUp(call);
            case PENDING, EXECUTED, FAILED, NOT_EXECUTED ->
                new Decision.Settle(CallState.NOT_EXECUTED, notAskedAbout.apply(call.toolName()));
        };
    }

    /** It was to run, and does not. */
    private Decision.Settle givenUp(Call call) {
        return call.attempts().isEmpty()
                ? new Decision.Settle(CallState.NOT_EXECUTED, approved.apply(call.toolName()))
                : new Decision.Settle(CallState.FAILED, ModelTexts.unknownOutcome(call.toolName()));
    }

    /** What cannot be read any more cannot enter the memory: neither its calls nor their results. */
    private void remember(Batch settled) {
        Optional<RememberedMessage> userMessage;
        List<ChatMessage> messages = new ArrayList<>();
        try {
            userMessage = RememberedMessage.of(settled.turn());
            messages.add(ChatMessageJson.read(AiMessage.class, settled.assistantMessage()));
            settled.calls().stream()
                    .map(call -> ToolResults.readMessage(Objects.requireNonNull(call.result())))
                    .forEach(messages::add);
        } catch (UnreadableRecordException e) {
            LOG.error("The batch {} is finished without entering the chat memory", settled.id(), e);
            return;
        }
        userMessage
                .filter(message -> !message.isIn(memory.messages()))
                .ifPresent(message -> memory.add(message.message()));
        new MemoryRepair(memory).write(messages);
    }
}
