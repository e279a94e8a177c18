package io.holdpoint.store.jdbc;

import io.holdpoint.testing.TestDatabase;
import org.junit.jupiter.api.Tag;

@Tag("deep")
class PostgresSchemaTest extends SchemaContract {

    @Override
    TestDatabase createDatabase() {
        return TestDatabase.postgres();
    }
}
