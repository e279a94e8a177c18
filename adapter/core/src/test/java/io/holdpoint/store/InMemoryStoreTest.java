package io.holdpoint.store;

class InMemoryStoreTest extends StoreContractTest {

    @Override
    protected Store createStore() {
        return new InMemoryStore();
    }
}
