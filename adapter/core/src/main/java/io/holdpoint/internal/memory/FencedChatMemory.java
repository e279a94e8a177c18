package io.holdpoint.internal.memory;

import dev.langchain4j.data.message.ChatMessage;
import dev.langchain4j.memory.ChatMemory;
import io.holdpoint.internal.lease.RunLease;
import java.util.List;

/**
 * A thread's chat memory as a run may write to it. The memory is not under the store's transactions, so the lease is checked
 * right before every write: a node that was paused and comes back does not write. What remains is a pause between the check
 * and the write that is longer than a lease.
 */
public final class FencedChatMemory implements ChatMemory {

    private final ChatMemory memory;
    private final RunLease lease;

    public FencedChatMemory(ChatMemory memory, RunLease lease) {
        this.memory = memory;
        this.lease = lease;
    }

    @Override
    public Object id() {
        return memory.id();
    }

    @Override
    public void add(ChatMessage message) {
        lease.require();
        memory.add(message);
    }

    @Override
    public List<ChatMessage> messages() {
        return memory.messages();
    }

    @Override
    public void set(Iterable<ChatMessage> messages) {
        lease.require();
        memory.set(messages);
    }

    @Override
    public void clear() {
        lease.require();
        memory.clear();
    }
}
