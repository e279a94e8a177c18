package io.holdpoint.store.jdbc;

import io.holdpoint.testing.TestDatabase;
import java.util.List;
import java.util.function.Supplier;

/** The databases that tests run on: SQLite, and PostgreSQL with {@code -Pall}. */
final class Dialects {

    private static final boolean ALL = "false".equals(System.getProperty("holdpoint.short"));

    private Dialects() {}

    static List<SqlDialect> tried() {
        return ALL ? List.of(SqlDialect.values()) : List.of(SqlDialect.SQLITE);
    }

    static List<Supplier<TestDatabase>> databases() {
        return ALL ? List.of(TestDatabase::sqlite, TestDatabase::postgres) : List.of(TestDatabase::sqlite);
    }
}
