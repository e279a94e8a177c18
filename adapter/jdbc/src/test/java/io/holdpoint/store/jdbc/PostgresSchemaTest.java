package io.holdpoint.store.jdbc;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.holdpoint.store.StoreException;
import io.holdpoint.testing.TestDatabase;
import java.util.UUID;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("deep")
class PostgresSchemaTest extends SchemaContract {

    @Override
    TestDatabase createDatabase() {
        return TestDatabase.postgres();
    }

    /** As every login but the database's owner in the schema "public", since PostgreSQL 15. */
    @Test
    void aLoginThatMayNotCreateTablesIsToldWhatToDo() {
        String role = "app_" + UUID.randomUUID().toString().replace("-", "");
        try (TestDatabase empty = TestDatabase.postgres()) {
            empty.execute("CREATE ROLE " + role + " LOGIN");
            empty.execute("GRANT USAGE ON SCHEMA " + empty.url().replaceAll(".*currentSchema=", "") + " TO " + role);
            HikariConfig login = new HikariConfig();
            login.setJdbcUrl(empty.url().replace("user=postgres", "user=" + role));
            try (HikariDataSource pool = new HikariDataSource(login)) {
                assertThatThrownBy(() -> JdbcStore.create(pool))
                        .isInstanceOf(StoreException.class)
                        .hasMessageContaining("permission denied for schema")
                        .hasMessageContaining("GRANT CREATE ON SCHEMA")
                        .hasMessageContaining("open(dataSource)");
            } finally {
                empty.execute("DROP OWNED BY " + role);
                empty.execute("DROP ROLE " + role);
            }
        }
    }
}
