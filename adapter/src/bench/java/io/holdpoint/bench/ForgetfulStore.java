package io.holdpoint.bench;

import io.holdpoint.agui.Message;
import io.holdpoint.store.Commit;
import io.holdpoint.store.Hold;
import io.holdpoint.store.InMemoryStore;
import io.holdpoint.store.Lease;
import io.holdpoint.store.Store;
import io.holdpoint.store.ThreadRecord;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * An in-memory store that can be emptied, so that a benchmark with a new thread per cycle does not measure a growing heap.
 * To be emptied while no run is active.
 */
final class ForgetfulStore implements Store {

    private volatile Store store = new InMemoryStore();

    void forget() {
        store = new InMemoryStore();
    }

    @Override
    public Optional<Lease> acquire(String threadId, String runId) {
        return store.acquire(threadId, runId);
    }

    @Override
    public void release(Lease lease) {
        store.release(lease);
    }

    @Override
    public Optional<ThreadRecord> find(String threadId) {
        return store.find(threadId);
    }

    @Override
    public List<Message> transcript(String threadId) {
        return store.transcript(threadId);
    }

    @Override
    public Set<String> known(String threadId, Collection<String> messageIds) {
        return store.known(threadId, messageIds);
    }

    @Override
    public boolean hasToolCall(String threadId, String toolCallId) {
        return store.hasToolCall(threadId, toolCallId);
    }

    @Override
    public Optional<Hold> findByInterrupt(String threadId, String interruptId) {
        return store.findByInterrupt(threadId, interruptId);
    }

    @Override
    public void commit(Lease lease, Commit commit) {
        store.commit(lease, commit);
    }
}
