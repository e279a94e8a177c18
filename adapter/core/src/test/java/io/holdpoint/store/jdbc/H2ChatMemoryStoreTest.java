package io.holdpoint.store.jdbc;

import io.holdpoint.testing.TestDatabase;

class H2ChatMemoryStoreTest extends ChatMemoryStoreContract {

    @Override
    TestDatabase createDatabase() {
        return TestDatabase.h2();
    }
}
