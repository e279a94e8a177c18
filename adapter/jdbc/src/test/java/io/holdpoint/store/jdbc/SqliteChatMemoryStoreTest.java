package io.holdpoint.store.jdbc;

import io.holdpoint.testing.TestDatabase;

class SqliteChatMemoryStoreTest extends ChatMemoryStoreContract {

    @Override
    TestDatabase createDatabase() {
        return TestDatabase.sqlite();
    }
}
