package io.holdpoint.store.jdbc;

import io.holdpoint.store.Store;
import io.holdpoint.store.StoreContractTest;
import io.holdpoint.testing.TestDatabase;

class SqliteStoreTest extends StoreContractTest {

    private final TestDatabase database = TestDatabase.sqlite();

    @Override
    protected Store createStore() {
        return JdbcStore.create(database.dataSource());
    }

    @Override
    protected void close() {
        database.close();
    }
}
