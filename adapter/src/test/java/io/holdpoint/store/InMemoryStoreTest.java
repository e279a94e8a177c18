package io.holdpoint.store;

class InMemoryStoreTest extends StoreContractTest {

    @Override
    Store createStore() {
        return new InMemoryStore();
    }
}
