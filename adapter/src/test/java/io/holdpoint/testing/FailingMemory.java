package io.holdpoint.testing;

import dev.langchain4j.data.message.ChatMessage;
import dev.langchain4j.memory.ChatMemory;
import dev.langchain4j.memory.chat.MessageWindowChatMemory;
import java.util.List;

/** A chat memory of which one write fails. */
public final class FailingMemory implements ChatMemory {

    private final ChatMemory memory = MessageWindowChatMemory.withMaxMessages(20);
    private final int failing;
    private int writes;

    public FailingMemory(int failing) {
        this.failing = failing;
    }

    @Override
    public Object id() {
        return memory.id();
    }

    @Override
    public void add(ChatMessage message) {
        count();
        memory.add(message);
    }

    @Override
    public void set(Iterable<ChatMessage> messages) {
        count();
        memory.set(messages);
    }

    @Override
    public List<ChatMessage> messages() {
        return memory.messages();
    }

    @Override
    public void clear() {
        count();
        memory.clear();
    }

    private void count() {
        if (++writes == failing) {
            throw new IllegalStateException("memory down at write " + writes);
        }
    }
}
