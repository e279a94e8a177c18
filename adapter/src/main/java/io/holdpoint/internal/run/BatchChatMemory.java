package io.holdpoint.internal.run;

import dev.langchain4j.data.message.AiMessage;
import dev.langchain4j.data.message.ChatMessage;
import dev.langchain4j.data.message.SystemMessage;
import dev.langchain4j.data.message.ToolExecutionResultMessage;
import dev.langchain4j.data.message.UserMessage;
import dev.langchain4j.memory.ChatMemory;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The thread's chat memory as one turn sees it. A message with tool calls and all its results enter the thread's memory
 * together or not at all; the user message of a continued turn is not added twice. Used by one run at a time.
 */
final class BatchChatMemory implements ChatMemory {

    private final ChatMemory memory;
    private final TurnSession turn;
    private final List<ChatMessage> open = new ArrayList<>();
    private Optional<List<ChatMessage>> larger = Optional.empty();
    private boolean userMessageIn;

    BatchChatMemory(ChatMemory memory, TurnSession turn) {
        this.memory = memory;
        this.turn = turn;
    }

    @Override
    public Object id() {
        return memory.id();
    }

    @Override
    public synchronized void add(ChatMessage message) {
        if (message instanceof AiMessage ai && ai.hasToolExecutionRequests()) {
            open.clear();
            open.add(ai);
        } else if (message instanceof ToolExecutionResultMessage && !open.isEmpty()) {
            open.add(message);
            settleIfComplete();
        } else if (message instanceof UserMessage user && !userMessageIn) {
            addUserMessage(user);
        } else {
            addPlain(message);
        }
    }

    @Override
    public synchronized List<ChatMessage> messages() {
        List<ChatMessage> messages = new ArrayList<>(larger.orElseGet(memory::messages));
        if (!userMessageIn) {
            hideWaitingUserMessage(messages);
        }
        messages.addAll(open);
        return messages;
    }

    @Override
    public synchronized void set(Iterable<ChatMessage> messages) {
        List<ChatMessage> settled = new ArrayList<>();
        messages.forEach(settled::add);
        settled.removeAll(open);
        memory.set(settled);
        larger = Optional.empty();
    }

    @Override
    public synchronized void clear() {
        memory.clear();
        larger = Optional.empty();
    }

    private void addPlain(ChatMessage message) {
        larger.ifPresent(list -> list.add(message));
        memory.add(message);
    }

    /** On a continued turn the message is there already, unless it was evicted or lost while a person was thinking. */
    private void addUserMessage(UserMessage message) {
        userMessageIn = true;
        Optional<UserMessage> earlier = turn.rememberedUserMessage();
        if (earlier.isEmpty()) {
            turn.remembers(message);
            memory.add(message);
        } else if (!UserMessage.findLast(memory.messages()).equals(earlier)) {
            memory.add(earlier.get());
        }
    }

    /** A turn that failed before the model answered left its message at the end: it is about to be added again. */
    private void hideWaitingUserMessage(List<ChatMessage> messages) {
        Optional<UserMessage> earlier = turn.rememberedUserMessage();
        int last = messages.size() - 1;
        if (earlier.isPresent() && last >= 0 && messages.get(last).equals(earlier.get())) {
            messages.remove(last);
        }
    }

    private void settleIfComplete() {
        AiMessage ai = (AiMessage) open.get(0);
        if (open.size() <= ai.toolExecutionRequests().size()) {
            return;
        }
        List<ChatMessage> batch = List.copyOf(open);
        open.clear();
        List<ChatMessage> all = write(memory, batch);
        if (!memory.messages().containsAll(batch)) {
            larger = Optional.of(essential(all, batch));
        }
        turn.batchRemembered();
    }

    /**
     * Puts a settled batch into a memory: all of it in one step, unless it is there already.
     *
     * @return the memory's messages and the batch, before the memory evicted anything
     */
    static List<ChatMessage> write(ChatMemory memory, List<ChatMessage> batch) {
        List<ChatMessage> all = new ArrayList<>(memory.messages());
        if (all.contains(batch.get(0))) {
            return all;
        }
        all.addAll(batch);
        memory.set(all);
        List<ChatMessage> kept = memory.messages();
        List<ChatMessage> wellFormed = WellFormed.of(kept);
        if (wellFormed.size() != kept.size()) {
            if (wellFormed.isEmpty()) {
                memory.clear();
            } else {
                memory.set(wellFormed);
            }
        }
        return all;
    }

    /** What the model needs to go on if the window is smaller than the batch: instructions, question, batch. */
    private static List<ChatMessage> essential(List<ChatMessage> all, List<ChatMessage> batch) {
        List<ChatMessage> essential = new ArrayList<>();
        SystemMessage.findFirst(all).ifPresent(essential::add);
        UserMessage.findLast(all).ifPresent(essential::add);
        essential.addAll(batch);
        return essential;
    }
}
