package io.holdpoint.testing;

import io.holdpoint.store.Commit;
import io.holdpoint.store.InMemoryStore;
import io.holdpoint.store.Lease;
import io.holdpoint.store.Store;
import java.time.Instant;

/** An in-memory store of which one commit fails: before it was written, or after, so that nobody knows. */
public final class FailingStore extends ForwardingStore {

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
    protected Store store() {
        return store;
    }

    @Override
    public synchronized void commit(Lease lease, Commit commit, Instant now) {
        commits++;
        if (commits != failing || when == When.AFTER_WRITING) {
            store.commit(lease, commit, now);
        }
        if (commits == failing) {
            throw new Down(commits);
        }
    }

    @Override
    public void release(Lease lease) {
        if (cannotRelease) {
            throw new Down(commits);
        }
        store.release(lease);
    }
}
