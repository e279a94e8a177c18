package io.holdpoint.internal.memory;

import dev.langchain4j.data.message.ChatMessageType;
import dev.langchain4j.memory.ChatMemory;
import dev.langchain4j.memory.chat.ChatMemoryProvider;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The chat memory of each thread. The provider is asked once per thread and process, like an AI Service asks it: a memory
 * without a store would be empty on every run otherwise. Keeps the most recently used ones. Thread-safe.
 */
public final class ChatMemories {

    /** How many memories are kept; beyond it, the least recently used one is asked for again when needed. */
    static final int KEPT = 10_000;

    private final ChatMemoryProvider provider;
    private final boolean adopts;
    private final Map<String, ChatMemory> memories = new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, ChatMemory> eldest) {
            return size() > KEPT;
        }
    };

    /**
     * Creates the collection.
     *
     * @param provider the application's
     * @param adopts whether a thread that nobody owns may go on from what its memory holds already
     */
    public ChatMemories(ChatMemoryProvider provider, boolean adopts) {
        this.provider = provider;
        this.adopts = adopts;
    }

    /** Whether the memory of a thread that is not known holds a conversation, which must be somebody else's. */
    public boolean hasConversationOfOthers(String threadId) {
        return !adopts
                && of(threadId).messages().stream().anyMatch(message -> message.type() != ChatMessageType.SYSTEM);
    }

    public ChatMemory of(String threadId) {
        synchronized (memories) {
            ChatMemory kept = memories.get(threadId);
            if (kept != null) {
                return kept;
            }
        }
        ChatMemory made = provider.get(threadId);
        if (made == null) {
            throw new IllegalStateException("the ChatMemoryProvider gave null for the thread " + threadId);
        }
        synchronized (memories) {
            ChatMemory other = memories.putIfAbsent(threadId, made);
            return other == null ? made : other;
        }
    }
}
