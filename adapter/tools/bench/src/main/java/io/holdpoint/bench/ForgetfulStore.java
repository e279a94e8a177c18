package io.holdpoint.bench;

import io.holdpoint.store.InMemoryStore;
import io.holdpoint.store.Store;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;

/**
 * An in-memory store that can be emptied, so that a benchmark with a new thread per cycle does not measure a growing heap.
 * To be emptied while no run is active.
 */
final class ForgetfulStore {

    private volatile Store store = new InMemoryStore();

    void forget() {
        store = new InMemoryStore();
    }

    /** The store as an agent gets it. */
    Store asStore() {
        return (Store) Proxy.newProxyInstance(
                Store.class.getClassLoader(), new Class<?>[] {Store.class}, (proxy, method, arguments) -> {
                    try {
                        return method.invoke(store, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }
}
