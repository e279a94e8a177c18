package io.holdpoint.store.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.langchain4j.data.message.UserMessage;
import io.holdpoint.store.Commit;
import io.holdpoint.store.Store;
import io.holdpoint.store.Store.Lease;
import io.holdpoint.testing.SeparateCommit;
import io.holdpoint.testing.TestDatabase;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A node that is stopped, but not dead, in the middle of a transaction. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@Tag("deep")
class StoppedNodeTest {

    private static final Instant NOW = Instant.parse("2026-01-31T12:00:00Z");
    private static final Instant END = NOW.plusSeconds(30);

    private static final String LIMITS =
            "SELECT current_setting('lock_timeout') || ' ' || current_setting('idle_in_transaction_session_timeout')";

    private static Optional<Lease> takeOver(Store store) {
        return store.acquire("t", "r2", "ada", END, END.plusSeconds(30));
    }

    /** Does something while a lease's row is locked, as it is within a commit. */
    private static <T> T whileStopped(TestDatabase database, Supplier<T> action) throws SQLException {
        try (Connection stopped = database.dataSource().getConnection()) {
            stopped.setAutoCommit(false);
            try {
                new Sql(stopped, SqlDialect.POSTGRESQL, "", false)
                        .list("SELECT epoch FROM holdpoint_lease WHERE thread_id = 't' FOR UPDATE", row -> true);
                return action.get();
            } finally {
                stopped.rollback();
                stopped.setAutoCommit(true);
            }
        }
    }

    @Test
    void aThreadInTheMiddleOfACommitHasAnActiveRun() throws Exception {
        try (TestDatabase database = TestDatabase.postgres()) {
            Store store = JdbcStore.create(database.dataSource());
            store.acquire("t", "r1", "ada", NOW, END).orElseThrow();

            assertThat(whileStopped(database, () -> takeOver(store))).isEmpty();
            assertThat(takeOver(store)).isPresent();
        }
    }

    @Test
    void everyTransactionThatLocksIsLimitedAndTheConnectionIsGivenBackAsItWas() throws SQLException {
        try (TestDatabase database = TestDatabase.postgres()) {
            List<String> atCommit = new ArrayList<>();
            JdbcStore.create(database.dataSource());
            Store store = JdbcStore.open(ConnectionSource.of(() -> watched(database, atCommit)));
            JdbcChatMemoryStore memories =
                    JdbcChatMemoryStore.open(ConnectionSource.of(() -> watched(database, atCommit)));
            atCommit.clear();

            Lease lease = store.acquire("t", "r1", "ada", NOW, END).orElseThrow();
            store.renew(lease, END);
            store.commit(lease, Commit.empty(), NOW);
            store.release(takeOver(store).orElseThrow());
            store.acquireOwn("t", "r3", "ada", NOW, END).orElseThrow();
            store.acquireOwn("t", "r4", "ada", END, END.plusSeconds(30)).orElseThrow();
            store.purge(Store.Old.BATCH, NOW, 1);
            memories.updateMessages("t", List.of(UserMessage.from("Hi")));
            memories.deleteMessages("t");

            assertThat(atCommit)
                    .as("two for each lease that is taken over")
                    .hasSize(12)
                    .containsOnly("3s 20s");
            try (Connection connection = database.dataSource().getConnection()) {
                assertThat(limits(connection)).isEqualTo("0 0");
            }
        }
    }

    /** Whoever starts meanwhile waits for it: for as long as it works. */
    @Test
    void whoCreatesTheTablesIsEndedIfItStops() {
        try (TestDatabase database = TestDatabase.postgres()) {
            List<String> atCommit = new ArrayList<>();

            JdbcStore.create(ConnectionSource.of(() -> watched(database, atCommit)));

            assertThat(atCommit).containsExactly("0 20s");
        }
    }

    private static String limits(Connection connection) throws SQLException {
        return new Sql(connection, SqlDialect.POSTGRESQL, "", false)
                .first(LIMITS, row -> row.getString(1))
                .orElseThrow();
    }

    private static Connection watched(TestDatabase database, List<String> atCommit) throws SQLException {
        Connection real = database.dataSource().getConnection();
        return (Connection) Proxy.newProxyInstance(
                StoppedNodeTest.class.getClassLoader(),
                new Class<?>[] {Connection.class},
                (proxy, method, arguments) -> {
                    if (method.getName().equals("commit")) {
                        atCommit.add(limits(real));
                    }
                    try {
                        return method.invoke(real, SeparateCommit.of(method, arguments));
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }
}
