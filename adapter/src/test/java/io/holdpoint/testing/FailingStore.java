package io.holdpoint.testing;

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

/** An in-memory store of which one commit fails: before it was written, or after, so that nobody knows. */
public final class FailingStore implements Store {

    /** Whether the failing commit was written. */
    public enum When {
        BEFORE_WRITING,
        AFTER_WRITING
    }

    /** What is thrown then. */
    public static final class Down extends RuntimeException {

        private static final long serialVersionUID = 1L;

        private Down(int commit) {
            super("store down at commit " + commit);
        }
    }

    private final InMemoryStore store = new InMemoryStore();
    private final int failing;
    private final When when;
    private boolean cannotRelease;
    private int commits;

    /**
     * @param failing the number of the commit that fails, from 1
     */
    public FailingStore(int failing, When when) {
        this.failing = failing;
        this.when = when;
    }

    /** A store that commits everything, and fails whenever a lease is given back. */
    public static FailingStore thatCannotRelease() {
        FailingStore store = new FailingStore(0, When.BEFORE_WRITING);
        store.cannotRelease = true;
        return store;
    }

    public synchronized int commits() {
        return commits;
    }

    @Override
    public synchronized void commit(Lease lease, Commit commit) {
        commits++;
        if (commits != failing || when == When.AFTER_WRITING) {
            store.commit(lease, commit);
        }
        if (commits == failing) {
            throw new Down(commits);
        }
    }

    @Override
    public Optional<Lease> acquire(String threadId, String runId) {
        return store.acquire(threadId, runId);
    }

    @Override
    public void release(Lease lease) {
        if (cannotRelease) {
            throw new Down(commits);
        }
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
}
