package io.holdpoint.internal.turn;

import dev.langchain4j.data.message.AiMessage;
import dev.langchain4j.memory.ChatMemory;
import io.holdpoint.Limits;
import io.holdpoint.agui.Message;
import io.holdpoint.agui.ResumeEntry;
import io.holdpoint.internal.memory.MemoryRepair;
import io.holdpoint.store.Answer;
import io.holdpoint.store.Batch;
import io.holdpoint.store.BatchState;
import io.holdpoint.store.Commit;
import io.holdpoint.store.Question;
import io.holdpoint.store.ThreadRecord;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * Gives up the turn of a cancelled run, so that the thread can go on from what the user has seen: open questions count as
 * let go of, what has not started does not start, what was done is kept, and so is the text that was said. The model is not
 * asked.
 */
public final class GivingUp {

    private final Run run;
    private final ChatMemory memory;
    private final Limits limits;

    public GivingUp(Run run, ChatMemory memory, Limits limits) {
        this.run = run;
        this.memory = memory;
        this.limits = limits;
    }

    /**
     * Gives up whatever of the thread is unfinished.
     *
     * @param thought what the model has let read of its thinking in front of it
     * @param said the beginning of a message that the model was writing
     */
    public void giveUp(List<Message> thought, Optional<Message.Assistant> said) {
        Optional<ThreadRecord> thread = run.store().find(run.threadId());
        thread.flatMap(ThreadRecord::batch).ifPresent(this::settle);
        said.ifPresent(this::remember);
        if (said.isPresent()
                || !thought.isEmpty()
                || thread.flatMap(ThreadRecord::turn).isPresent()) {
            run.commit(Commit.empty()
                    .append(thought)
                    .append(List.copyOf(said.stream().toList()))
                    .turnFinished());
        }
    }

    private void settle(Batch unfinished) {
        Batch batch = unfinished;
        if (batch.state() == BatchState.OPEN) {
            batch = batch.answered(letGo(batch));
            run.commit(Commit.of(batch));
        }
        BatchSettlement.ofCancelled(run, memory, limits).settle(batch);
    }

    private Map<String, Answer> letGo(Batch batch) {
        Map<String, Answer> answers = new HashMap<>();
        for (Question question : batch.openQuestions()) {
            String id = question.interrupt().id();
            answers.put(
                    id,
                    new Answer(
                            Answer.How.STEERED_AWAY,
                            ResumeEntry.cancelled(id),
                            run.caller().id(),
                            run.clock().instant()));
        }
        return answers;
    }

    /** Before the transcript has it, like every message; the AI Service may have been faster with the whole of it. */
    private void remember(Message.Assistant said) {
        if (new MemoryRepair(memory).lacksAnswer()) {
            memory.add(AiMessage.from(Objects.requireNonNull(said.content())));
        }
    }
}
