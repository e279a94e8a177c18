package io.holdpoint.store.jdbc;

import io.holdpoint.testing.TestDatabase;

class PostgresSchemaTest extends SchemaContract {

    @Override
    TestDatabase createDatabase() {
        return TestDatabase.postgres();
    }
}
