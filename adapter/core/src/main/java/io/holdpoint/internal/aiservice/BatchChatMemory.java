package io.holdpoint.internal.aiservice;

import dev.langchain4j.data.message.AiMessage;
import dev.langchain4j.data.message.ChatMessage;
import dev.langchain4j.data.message.SystemMessage;
import dev.langchain4j.data.message.ToolExecutionResultMessage;
import dev.langchain4j.data.message.UserMessage;
import dev.langchain4j.memory.ChatMemory;
import io.holdpoint.internal.lease.RunStop.CallingThread;
import io.holdpoint.internal.memory.MemoryRepair;
import io.holdpoint.internal.memory.RememberedMessage;
import io.holdpoint.internal.turn.Run;
import io.holdpoint.internal.turn.Turn;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The thread's chat memory as one turn sees it. A message with tool calls and all its results enter the thread's memory
 * together or not at all; the user message of a continued turn is not added twice. Used by one run at a time.
 */
final class BatchChatMemory implements ChatMemory {

    private final ChatMemory memory;
    private final Run run;
    private final Turn turn;
    private final TemplateEscaping text;
    private final List<ChatMessage> open = new ArrayList<>();
    private Optional<List<ChatMessage>> larger = Optional.empty();
    private boolean userMessageIn;

    BatchChatMemory(ChatMemory memory, Run run, Turn turn, TemplateEscaping text) {
        this.memory = memory;
        this.run = run;
        this.turn = turn;
        this.text = text;
    }

    @Override
    public Object id() {
        return memory.id();
    }

    /** A write belongs to the turn: the end of the turn waits for it, and there is none afterwards. */
    @Override
    public void add(ChatMessage message) {
        write(() -> addNow(message));
    }

    private void write(Runnable change) {
        try (CallingThread.Scope own = run.stop.caller.own()) {
            turn.enter();
            try {
                change.run();
            } finally {
                turn.leave();
            }
        }
    }

    private synchronized void addNow(ChatMessage message) {
        if (message instanceof AiMessage ai && ai.hasToolExecutionRequests()) {
            open.clear();
            open.add(ai);
        } else if (message instanceof ToolExecutionResultMessage && !open.isEmpty()) {
            open.add(message);
            settleIfComplete();
        } else if (message instanceof UserMessage user && !userMessageIn) {
            addUserMessage(text.remembered(user));
        } else if (message instanceof SystemMessage system) {
            addInstructions(text.restored(system));
        } else {
            addPlain(message);
        }
    }

    @Override
    public List<ChatMessage> messages() {
        try (CallingThread.Scope own = run.stop.caller.own()) {
            return messagesNow();
        }
    }

    private synchronized List<ChatMessage> messagesNow() {
        List<ChatMessage> messages = new ArrayList<>(larger.isPresent() ? larger.get() : memory.messages());
        if (!userMessageIn) {
            hideWaitingUserMessage(messages);
        }
        messages.addAll(open);
        return messages;
    }

    @Override
    public void set(Iterable<ChatMessage> messages) {
        write(() -> setNow(messages));
    }

    private synchronized void setNow(Iterable<ChatMessage> messages) {
        List<ChatMessage> settled = new ArrayList<>();
        messages.forEach(settled::add);
        settled.removeAll(open);
        memory.set(settled);
        larger = Optional.empty();
    }

    @Override
    public void clear() {
        write(() -> clearNow());
    }

    private synchronized void clearNow() {
        memory.clear();
        larger = Optional.empty();
    }

    /** A memory that keeps whatever it gets would have them once more after each question, behind the user message. */
    private void addInstructions(SystemMessage message) {
        boolean isContinued = turn.preparation.remembered().isPresent();
        if (!isContinued || !memory.messages().contains(message)) {
            addPlain(message);
        }
    }

    private void addPlain(ChatMessage message) {
        if (larger.isPresent()) {
            larger.get().add(message);
        }
        memory.add(message);
    }

    /** On a continued turn the memory has the message, unless it was evicted or lost while a person was thinking. */
    private void addUserMessage(UserMessage message) {
        userMessageIn = true;
        Optional<RememberedMessage> earlier = turn.preparation.remembered();
        List<ChatMessage> messages = new ArrayList<>(memory.messages());
        if (earlier.isEmpty()) {
            turn.preparation.remembers(message, RememberedMessage.mark(messages));
            memory.add(message);
        } else if (!earlier.get().isIn(messages)) {
            memory.add(earlier.get().message());
        } else if (MemoryRepair.removeAnswers(messages)
                && earlier.get().message().equals(last(messages))) {
            memory.set(messages);
        }
    }

    /**
     * Hides the message that a turn has left at the end when it failed before it had a batch, perhaps with an answer that was
     * refused: the AI Service is about to add the message again.
     */
    private void hideWaitingUserMessage(List<ChatMessage> messages) {
        Optional<RememberedMessage> earlier = turn.preparation.remembered();
        if (earlier.isEmpty()) {
            return;
        }
        List<ChatMessage> withoutAnswer = new ArrayList<>(messages);
        MemoryRepair.removeAnswers(withoutAnswer);
        if (!earlier.get().isStillToCome(messages) && earlier.get().message().equals(last(withoutAnswer))) {
            messages.subList(withoutAnswer.size() - 1, messages.size()).clear();
        }
    }

    private void settleIfComplete() {
        AiMessage ai = (AiMessage) open.get(0);
        if (open.size() <= ai.toolExecutionRequests().size() || turn.isPaused()) {
            return;
        }
        List<ChatMessage> batch = MemoryRepair.withObjectsAsArguments(List.copyOf(open));
        open.clear();
        List<ChatMessage> present = memory.messages();
        MemoryRepair repair = new MemoryRepair(memory);
        List<ChatMessage> kept =
                turn.continuesItsBatch() ? repair.write(present, batch) : repair.append(present, batch);
        List<ChatMessage> before = larger.orElse(present);
        int place = MemoryRepair.place(batch.get(0), kept);
        if (place < 0 || !keepsQuestion(before, kept)) {
            larger = Optional.of(essential(before, batch));
        } else if (kept.get(place).equals(batch.get(0))) {
            larger = Optional.empty(); // the results may have lost media there that the model could not take
        } else {
            larger = Optional.of(new ArrayList<>(kept)); // of the message itself the model may need all
            larger.get().set(place, batch.get(0));
        }
        turn.batchRemembered();
    }

    /** Another user message, which the application has added, does not stand for the one that the turn answers. */
    private boolean keepsQuestion(List<ChatMessage> before, List<ChatMessage> kept) {
        if (UserMessage.findLast(kept).isEmpty()) {
            return false;
        }
        Optional<RememberedMessage> question = turn.preparation.remembered();
        return question.isEmpty()
                || !before.contains(question.get().message())
                || kept.contains(question.get().message());
    }

    private static @Nullable ChatMessage last(List<ChatMessage> messages) {
        return messages.isEmpty() ? null : messages.get(messages.size() - 1);
    }

    /** The messages without which the model cannot go on, if the window cannot keep them: instructions, question, batch. */
    private List<ChatMessage> essential(List<ChatMessage> all, List<ChatMessage> batch) {
        List<ChatMessage> essential = new ArrayList<>();
        SystemMessage.findFirst(all).ifPresent(essential::add);
        turn.preparation.remembered().map(RememberedMessage::message).ifPresent(essential::add);
        essential.addAll(batch);
        return essential;
    }
}
