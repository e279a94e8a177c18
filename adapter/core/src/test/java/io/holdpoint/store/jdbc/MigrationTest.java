package io.holdpoint.store.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdpoint.agui.Message;
import io.holdpoint.agui.MessageContent;
import io.holdpoint.store.Commit;
import io.holdpoint.store.Store.Lease;
import io.holdpoint.store.StoreException;
import io.holdpoint.testing.TestDatabase;
import java.time.Instant;
import java.util.List;
import java.util.function.Supplier;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A newer library finds older tables. Versions 2 and 3 exist for this test only, as resources of it: version 2 adds a column,
 * version 3 fails in its second statement.
 */
class MigrationTest {

    private static final Instant NOW = Instant.parse("2026-01-31T12:00:00Z");

    static List<Supplier<TestDatabase>> databases() {
        return List.of(TestDatabase::sqlite, TestDatabase::postgres);
    }

    @ParameterizedTest
    @MethodSource("databases")
    void olderTablesAreUpgradedAndKeepWhatTheyHold(Supplier<TestDatabase> databases) {
        try (TestDatabase database = databases.get()) {
            JdbcStore store = JdbcStore.create(database.dataSource());
            Lease lease =
                    store.acquire("t", "r", "ada", NOW, NOW.plusSeconds(1)).orElseThrow();
            store.commit(lease, Commit.empty().append(List.of(new Message.User("u1", MessageContent.text("Hi")))), NOW);

            Schema.create(database.dataSource(), 2);

            database.execute("UPDATE holdpoint_thread SET added_for_a_test = 'x'");
            assertThat(store.transcript("t")).hasSize(1);
            assertThatThrownBy(() -> JdbcStore.open(database.dataSource()))
                    .isInstanceOf(StoreException.class)
                    .hasMessageContaining("version 2")
                    .hasMessageContaining("newer library");
        }
    }

    @ParameterizedTest
    @MethodSource("databases")
    void anUpgradeThatFailsChangesNothing(Supplier<TestDatabase> databases) {
        try (TestDatabase database = databases.get()) {
            JdbcStore.create(database.dataSource());

            assertThatThrownBy(() -> Schema.create(database.dataSource(), 3)).isInstanceOf(StoreException.class);

            JdbcStore.create(database.dataSource());
            assertThatThrownBy(() -> database.execute("UPDATE holdpoint_thread SET added_for_a_test = 'x'"))
                    .isInstanceOf(IllegalStateException.class);
        }
    }
}
