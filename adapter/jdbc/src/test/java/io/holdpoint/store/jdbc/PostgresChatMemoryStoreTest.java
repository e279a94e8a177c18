package io.holdpoint.store.jdbc;

import io.holdpoint.testing.TestDatabase;

class PostgresChatMemoryStoreTest extends ChatMemoryStoreContract {

    @Override
    TestDatabase createDatabase() {
        return TestDatabase.postgres();
    }
}
