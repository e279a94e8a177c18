package io.holdpoint.crash;

import dev.langchain4j.data.message.ChatMessage;
import dev.langchain4j.store.memory.chat.ChatMemoryStore;
import java.util.List;

/** A chat memory store with a point before and one after each write; what is inside is the database's. */
final class CrashableMemoryStore implements ChatMemoryStore {

    private final ChatMemoryStore store;
    private final CrashPoints points;

    CrashableMemoryStore(ChatMemoryStore store, CrashPoints points) {
        this.store = store;
        this.points = points;
    }

    @Override
    public List<ChatMessage> getMessages(Object memoryId) {
        return store.getMessages(memoryId);
    }

    @Override
    public void updateMessages(Object memoryId, List<ChatMessage> messages) {
        points.pass("before the memory of " + messages.size());
        store.updateMessages(memoryId, messages);
        points.pass("after the memory of " + messages.size());
    }

    @Override
    public void deleteMessages(Object memoryId) {
        points.pass("before the memory is emptied");
        store.deleteMessages(memoryId);
        points.pass("after the memory is emptied");
    }
}
