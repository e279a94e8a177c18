package io.holdpoint.internal.turn;

import dev.langchain4j.data.message.AiMessage;
import dev.langchain4j.data.message.ChatMessage;
import dev.langchain4j.memory.ChatMemory;
import io.holdpoint.agui.Message;
import io.holdpoint.internal.gate.ModelTexts;
import io.holdpoint.internal.memory.ChatMessageJson;
import io.holdpoint.internal.memory.ChatMessageJson.UnreadableRecordException;
import io.holdpoint.internal.memory.MemoryRepair;
import io.holdpoint.internal.memory.RememberedMessage;
import io.holdpoint.internal.question.NextStep;
import io.holdpoint.store.Batch;
import io.holdpoint.store.Call;
import io.holdpoint.store.Call.Answer;
import io.holdpoint.store.Commit;
import io.holdpoint.store.Store.ThreadRecord;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Brings a batch to its end without the AI Service: no further call of it runs, every call gets its result, and the chat
 * memory gets the batch.
 */
public final class BatchSettlement {

    private static final Logger LOG = LoggerFactory.getLogger(BatchSettlement.class);

    private final Run run;
    private final ChatMemory memory;
    private final UnaryOperator<String> notAskedAbout;
    private final UnaryOperator<String> approved;

    /** For a batch that a new message has overtaken, or that a person has left. */
    public BatchSettlement(Run run) {
        this(run, ModelTexts::superseded, ModelTexts::abandoned);
    }

    private BatchSettlement(Run run, UnaryOperator<String> notAskedAbout, UnaryOperator<String> approved) {
        this.run = run;
        this.memory = run.memory();
        this.notAskedAbout = notAskedAbout;
        this.approved = approved;
    }

    /**
     * Gives up the turn of a cancelled run, so that the thread can go on from what the user has seen: open questions are let
     * go, calls that have not started do not start, results are kept, and so are the thoughts and the beginning of a message
     * that the client has read. The model is not asked.
     */
    public static void ofCancelled(Run run, List<Message> thought, Optional<Message.Assistant> said) {
        new BatchSettlement(run, ModelTexts::runCancelled, ModelTexts::runCancelled).giveUp(thought, said);
    }

    private void giveUp(List<Message> thought, Optional<Message.Assistant> said) {
        Optional<ThreadRecord> thread = run.thread();
        Optional<Batch> unfinished = thread.flatMap(ThreadRecord::batch);
        if (unfinished.isPresent()) {
            settle(cancelled(unfinished.get()));
        }
        List<Message> transcript = new ArrayList<>(thought);
        if (said.isPresent()) {
            remember(said.get());
            transcript.add(said.get());
        }
        if (!transcript.isEmpty() || thread.flatMap(ThreadRecord::turn).isPresent()) {
            run.journal.later(Commit.empty().append(transcript).turnFinished());
        }
    }

    private Batch cancelled(Batch unfinished) {
        if (!unfinished.isOpen()) {
            return unfinished;
        }
        Batch answered = unfinished.unanswered(Answer.How.STEERED_AWAY, run.caller.id(), run.clock.instant());
        run.journal.commit(Commit.of(answered));
        return answered;
    }

    /** Writes to the memory before the transcript, as always; the AI Service may have written the whole message already. */
    private void remember(Message.Assistant said) {
        if (new MemoryRepair(memory).lacksAnswer()) {
            memory.add(AiMessage.from(Objects.requireNonNull(said.content())));
        }
    }

    public void settle(Batch unfinished) {
        settle(new LiveBatch(run, unfinished), unfinished);
    }

    /** For a batch that is going to be cut off: its client hears nothing of it. */
    public void settleUnheard(Batch unfinished) {
        settle(new LiveBatch(run, unfinished, result -> {}), unfinished);
    }

    private void settle(LiveBatch batch, Batch unfinished) {
        batch.announceSettled();
        for (Call call : unfinished.calls()) {
            if (!call.state().isSettled()) {
                batch.settle(call, withoutRunning(call));
            }
        }
        remember(batch.batch());
        batch.remembered();
        run.journal.later(batch.finished().turnFinished());
    }

    private NextStep.Settle withoutRunning(Call call) {
        return switch (call.state()) {
            case DECIDED -> NextStep.withoutRunning(call, approved.apply(call.toolName()), ModelTexts.GIVEN_UP);
            case CLAIMED, UNKNOWN -> NextStep.unknownOutcome(call);
            case PENDING, EXECUTED, FAILED, NOT_EXECUTED -> NextStep.notExecuted(notAskedAbout.apply(call.toolName()));
        };
    }

    /** A batch that can no longer be read does not enter the memory, neither its calls nor their results; nor does a proposal. */
    private void remember(Batch settled) {
        if (settled.isProposal()) {
            return;
        }
        Optional<RememberedMessage> userMessage;
        List<ChatMessage> messages = new ArrayList<>();
        try {
            userMessage = RememberedMessage.of(settled.turn(), run.userMessages);
            messages.add(ChatMessageJson.read(AiMessage.class, settled.message().json()));
            for (Call call : settled.calls()) {
                messages.add(ToolResult.message(Objects.requireNonNull(call.result())));
            }
        } catch (UnreadableRecordException e) {
            LOG.error("The batch {} is finished without entering the chat memory", settled.id(), e);
            return;
        }
        List<ChatMessage> present = memory.messages();
        if (userMessage.isPresent() && !userMessage.get().isIn(present)) {
            memory.add(userMessage.get().message());
            present = memory.messages();
        }
        new MemoryRepair(memory).write(present, MemoryRepair.withObjectsAsArguments(messages));
    }
}
