package io.holdpoint.internal.memory;

import dev.langchain4j.data.message.ChatMessage;
import dev.langchain4j.data.message.ChatMessageType;
import dev.langchain4j.memory.ChatMemory;
import dev.langchain4j.memory.chat.ChatMemoryProvider;
import io.holdpoint.internal.lease.RunLease;
import io.holdpoint.store.Store;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;

/**
 * The chat memory of each thread. The provider is asked once per thread and process, as an AI Service asks it: a memory
 * without a store would be empty on every run otherwise. Keeps the most recently used ones: one without a store that was not
 * kept is filled from the thread's transcript. Thread-safe.
 */
public final class ChatMemories {

    /** The number of memories that are kept; the least recently used one beyond it is asked for again when needed. */
    static final int KEPT = 10_000;

    private final ChatMemoryProvider provider;
    private final String agent;
    private final Function<String, Object> ids;
    private final Map<String, ChatMemory> memories = new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, ChatMemory> eldest) {
            evicts |= size() > KEPT;
            return size() > KEPT;
        }
    };
    private final AtomicBoolean hasLost = new AtomicBoolean();
    private volatile boolean evicts;

    public ChatMemories(ChatMemoryProvider provider, String agent, Function<String, Object> ids) {
        this.provider = provider;
        this.agent = agent;
        this.ids = ids;
    }

    /** The id by which the AI Service and its tools know the memory of a thread. */
    public Object id(String threadId) {
        return ids.apply(threadId);
    }

    /** The id by which the provider knows it, which no other agent with the same provider has. */
    private Object key(String threadId) {
        Object id = id(threadId);
        return id instanceof String text ? Store.memoryOf(agent, text) : id;
    }

    public ChatMemory of(String threadId) {
        synchronized (memories) {
            ChatMemory kept = memories.get(threadId);
            if (kept != null) {
                return kept;
            }
        }
        ChatMemory made = provider.get(key(threadId));
        if (made == null) {
            throw new IllegalStateException("the ChatMemoryProvider gave null for the thread " + threadId);
        }
        synchronized (memories) {
            ChatMemory other = memories.putIfAbsent(threadId, made);
            return other == null ? made : other;
        }
    }

    /** Drops what is kept of a thread whose memory was cleared for good. */
    public void forget(String threadId) {
        synchronized (memories) {
            memories.remove(threadId);
        }
    }

    /**
     * Checks whether the memory of a known thread is empty because it was not kept, as far as one can tell: the process that
     * filled it is gone, or it made room for others.
     */
    public boolean isForgotten(String threadId) {
        boolean isNew;
        synchronized (memories) {
            isNew = !memories.containsKey(threadId);
        }
        return (isNew || evicts) && hasInstructionsOnly(threadId);
    }

    /** Checks whether a memory has no conversation; that of a thread which is not known may have another user's. */
    public boolean hasInstructionsOnly(String threadId) {
        for (ChatMessage message : of(threadId).messages()) {
            if (message.type() != ChatMessageType.SYSTEM) {
                return false;
            }
        }
        return true;
    }

    /** Checks whether this is the first loss of a memory, which is worth a warning. */
    public boolean isFirstLoss() {
        return !hasLost.getAndSet(true);
    }

    /** The thread's memory, which a run may write to as long as it has its lease. */
    public ChatMemory of(String threadId, RunLease lease) {
        return new LeasedMemory(of(threadId), lease);
    }

    /**
     * The memory of a run: a node that was paused and comes back does not write. A memory in the store's own database is written
     * with the commits of the run, which check the lease. For any other the lease is checked right before, so one gap remains there: a pause between check
     * and write that is longer than a lease.
     */
    private static final class LeasedMemory implements ChatMemory {

        private final ChatMemory memory;
        private final RunLease lease;
        /** It is known where the memory lies. */
        private volatile boolean isRead;

        LeasedMemory(ChatMemory memory, RunLease lease) {
            this.memory = memory;
            this.lease = lease;
        }

        @Override
        public Object id() {
            return memory.id();
        }

        @Override
        public List<ChatMessage> messages() {
            List<ChatMessage> messages = new ArrayList<>();
            lease.readsMemory(() -> messages.addAll(memory.messages()));
            isRead = true;
            return messages;
        }

        @Override
        public void add(ChatMessage message) {
            write(() -> memory.add(message));
        }

        @Override
        public void set(Iterable<ChatMessage> messages) {
            write(() -> memory.set(messages));
        }

        @Override
        public void clear() {
            write(memory::clear);
        }

        private void write(Runnable work) {
            if (!isRead) {
                messages();
            }
            lease.writesMemory(work);
        }
    }
}
