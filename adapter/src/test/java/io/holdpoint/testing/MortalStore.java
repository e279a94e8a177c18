package io.holdpoint.testing;

import io.holdpoint.store.Commit;
import io.holdpoint.store.Lease;
import io.holdpoint.store.Store;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicInteger;

/** A node's way to the store, which ends when the node dies: nothing of it is heard afterwards, its lease stays. */
public final class MortalStore extends ForwardingStore {

    private final Store store;
    private final AtomicInteger commitsLeft = new AtomicInteger(-1);
    private volatile boolean dead;

    public MortalStore(Store store) {
        this.store = store;
    }

    public void die() {
        dead = true;
    }

    /** Dies when it has written that often. */
    public void dieAfter(int commits) {
        commitsLeft.set(commits);
    }

    @Override
    public void commit(Lease lease, Commit commit, Instant now) {
        super.commit(lease, commit, now);
        if (commitsLeft.decrementAndGet() == 0) {
            dead = true;
        }
    }

    /** A node that was cut off, and is back. */
    public void revive() {
        dead = false;
    }

    @Override
    protected Store store() {
        if (dead) {
            throw new IllegalStateException("the node is dead");
        }
        return store;
    }
}
