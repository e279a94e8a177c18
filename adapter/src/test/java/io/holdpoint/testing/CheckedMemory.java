package io.holdpoint.testing;

import dev.langchain4j.data.message.ChatMessage;
import dev.langchain4j.memory.ChatMemory;
import java.util.ArrayList;
import java.util.List;

/** A chat memory that a provider would accept after every single write; says so if it would not. */
public final class CheckedMemory implements ChatMemory {

    private final ChatMemory memory;
    private final List<Throwable> violations = new ArrayList<>();

    public CheckedMemory(ChatMemory memory) {
        this.memory = memory;
    }

    /** Whatever a provider would have refused, at any moment. */
    public List<Throwable> violations() {
        return List.copyOf(violations);
    }

    @Override
    public Object id() {
        return memory.id();
    }

    @Override
    public void add(ChatMessage message) {
        memory.add(message);
        check();
    }

    @Override
    public void set(Iterable<ChatMessage> messages) {
        memory.set(messages);
        check();
    }

    @Override
    public List<ChatMessage> messages() {
        return memory.messages();
    }

    @Override
    public void clear() {
        memory.clear();
    }

    private void check() {
        try {
            ScriptedModel.requireWellFormed(memory.messages());
        } catch (AssertionError e) {
            violations.add(e);
        }
    }
}
