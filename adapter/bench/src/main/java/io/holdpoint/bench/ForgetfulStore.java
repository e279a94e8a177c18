package io.holdpoint.bench;

import io.holdpoint.store.InMemoryStore;
import io.holdpoint.store.Store;
import io.holdpoint.testing.ForwardingStore;

/**
 * An in-memory store that can be emptied, so that a benchmark with a new thread per cycle does not measure a growing heap.
 * To be emptied while no run is active.
 */
final class ForgetfulStore extends ForwardingStore {

    private volatile Store store = new InMemoryStore();

    void forget() {
        store = new InMemoryStore();
    }

    @Override
    protected Store store() {
        return store;
    }
}
