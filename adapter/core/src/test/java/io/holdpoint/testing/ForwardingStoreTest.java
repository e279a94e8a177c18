package io.holdpoint.testing;

import io.holdpoint.store.InMemoryStore;
import io.holdpoint.store.Store;
import io.holdpoint.store.StoreContractTest;

/** The double that the stores of other tests are made of does what every store must do. */
class ForwardingStoreTest extends StoreContractTest {

    @Override
    protected Store createStore() {
        Store store = new InMemoryStore();
        return new ForwardingStore() {

            @Override
            protected Store store() {
                return store;
            }
        };
    }
}
