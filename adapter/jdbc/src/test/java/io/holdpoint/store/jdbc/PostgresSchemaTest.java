package io.holdpoint.store.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.holdpoint.store.StoreException;
import io.holdpoint.testing.TestDatabase;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.SQLWarning;
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
    void aLoginThatMayNotCreateOrUseTablesIsToldWhatToDo() {
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

                JdbcStore.create(empty.dataSource());
                assertThatThrownBy(() -> JdbcStore.open(pool))
                        .isInstanceOf(StoreException.class)
                        .hasMessageContaining("permission denied for table")
                        .hasMessageContaining("GRANT SELECT, INSERT, UPDATE, DELETE ON");
                empty.execute("GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA "
                        + empty.url().replaceAll(".*currentSchema=", "") + " TO " + role);
                assertThat(JdbcStore.open(pool).check()).isEmpty();
            } finally {
                empty.execute("DROP OWNED BY " + role);
                empty.execute("DROP ROLE " + role);
            }
        }
    }

    /** In an incident a name is written wrongly. The halt stays: an agent may have yet to start. */
    @Test
    void aHaltOfANameThatNoAgentHasIsWarnedOf() throws SQLException {
        try (TestDatabase tables = TestDatabase.postgres()) {
            JdbcStore.create(tables.dataSource());
            tables.execute("INSERT INTO holdpoint_audit (at, agent, thread_id, run_id, caller, kind, detail)"
                    + " VALUES (1, 'support', '', '', 'ada', 'BUILT', '{}')");

            assertThat(halted(tables, "support")).isEmpty();
            assertThat(halted(tables, "*")).isEmpty();
            assertThat(halted(tables, "suport"))
                    .contains("no agent of the name \"suport\" is known here: look how it is spelt");
        }
    }

    /** Halts, and returns what the database warns of. */
    private static String halted(TestDatabase tables, String agent) throws SQLException {
        try (Connection connection = tables.dataSource().getConnection();
                PreparedStatement statement =
                        connection.prepareStatement("SELECT holdpoint_halt_agent(?, 'incident')")) {
            statement.setString(1, agent);
            statement.execute();
            SQLWarning warning = statement.getWarnings();
            return warning == null ? "" : warning.getMessage();
        }
    }
}
