package io.holdpoint.store.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdpoint.agui.Message;
import io.holdpoint.agui.MessageContent;
import io.holdpoint.store.Commit;
import io.holdpoint.store.Lease;
import io.holdpoint.store.StoreException;
import io.holdpoint.testing.TestDatabase;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.time.Instant;
import java.util.List;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class H2SchemaTest extends SchemaContract {

    private static final Instant NOW = Instant.parse("2026-01-31T12:00:00Z");

    @TempDir
    private Path directory;

    @Override
    TestDatabase createDatabase() {
        return TestDatabase.h2();
    }

    /** What a killed process leaves is what the file holds at that moment, which is what a copy of it holds. */
    @Test
    void whatIsCommittedIsInTheFileAtOnce() throws Exception {
        Message message = new Message.User("u1", MessageContent.text("Hi"));
        try (TestDatabase database = TestDatabase.h2(directory.resolve("original"))) {
            JdbcStore store = JdbcStore.create(database.dataSource());
            Lease lease =
                    store.acquire("t", "r", "ada", NOW, NOW.plusSeconds(1)).orElseThrow();

            store.commit(lease, Commit.empty().append(List.of(message)), NOW);

            Files.copy(directory.resolve("original.mv.db"), directory.resolve("copy.mv.db"));
        }
        try (TestDatabase copy = TestDatabase.h2(directory.resolve("copy"))) {
            assertThat(JdbcStore.open(copy.dataSource()).transcript("t")).containsExactly(message);
        }
    }

    /** H2 remembers the setting, and does not heed it when the file is opened again. */
    @Test
    void whatIsCommittedIsInTheFileAtOnceAlsoWhenItWasOpenedAgain() throws Exception {
        Message message = new Message.User("u1", MessageContent.text("Hi"));
        try (TestDatabase database = TestDatabase.h2(directory.resolve("original"))) {
            JdbcStore.create(database.dataSource());
        }
        JdbcDataSource closedAfterEachCall = new JdbcDataSource();
        closedAfterEachCall.setURL("jdbc:h2:file:" + directory.resolve("original"));
        JdbcStore store = JdbcStore.open(closedAfterEachCall);
        Lease lease = store.acquire("t", "r", "ada", NOW, NOW.plusSeconds(1)).orElseThrow();
        try (Connection staysOpen = closedAfterEachCall.getConnection()) {
            store.commit(lease, Commit.empty().append(List.of(message)), NOW);

            Files.copy(directory.resolve("original.mv.db"), directory.resolve("copy.mv.db"));
            assertThat(staysOpen.isClosed()).isFalse();
        }
        try (TestDatabase copy = TestDatabase.h2(directory.resolve("copy"))) {
            assertThat(JdbcStore.open(copy.dataSource()).transcript("t")).containsExactly(message);
        }
    }

    @Test
    void aUserWhoMayNotMakeTheDatabaseWriteAtOnceIsToldSo() {
        try (TestDatabase database = TestDatabase.h2(directory.resolve("store"))) {
            JdbcStore.create(database.dataSource());
            database.execute("CREATE USER clerk PASSWORD 'secret'");
            database.execute("GRANT ALL ON SCHEMA PUBLIC TO clerk");
            JdbcDataSource clerks = new JdbcDataSource();
            clerks.setURL("jdbc:h2:file:" + directory.resolve("store"));
            clerks.setUser("clerk");
            clerks.setPassword("secret");

            assertThatThrownBy(() -> JdbcStore.open(clerks))
                    .isInstanceOf(StoreException.class)
                    .hasMessageContaining("SET WRITE_DELAY 0");
        }
    }

    @Test
    void idsAreCaseSensitiveWhateverTheDatabaseIsSetTo() {
        try (TestDatabase database = TestDatabase.h2(directory.resolve("ignoring;IGNORECASE=TRUE"))) {
            JdbcStore store = JdbcStore.create(database.dataSource());

            assertThat(store.acquire("t", "r", "ada", NOW, NOW.plusSeconds(1))).isPresent();
            assertThat(store.acquire("T", "r", "ada", NOW, NOW.plusSeconds(1))).isPresent();
        }
    }
}
