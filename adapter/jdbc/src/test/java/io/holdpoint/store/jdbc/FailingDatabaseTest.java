package io.holdpoint.store.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.holdpoint.store.Commit;
import io.holdpoint.store.Store;
import io.holdpoint.store.Store.Lease;
import io.holdpoint.store.StoreException;
import io.holdpoint.testing.Logs;
import io.holdpoint.testing.SeparateCommit;
import io.holdpoint.testing.TestDatabase;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is tried again, and what is not, when the database fails at its commit, or only reads. */
@Tag("deep")
class FailingDatabaseTest {

    private static final Instant NOW = Instant.parse("2026-01-31T12:00:00Z");

    private final TestDatabase database = TestDatabase.postgres();
    private final Deque<SQLException> failures = new ArrayDeque<>();
    /** The connections belong to a transaction manager, which ends transactions itself. */
    private boolean managed;

    /** The manager takes a connection over when it is used. */
    private boolean late;

    private boolean snapshotsFail;
    private boolean givenBackAs;
    private int opened;
    private int closed;

    @AfterEach
    void close() {
        database.close();
    }

    private JdbcStore store() {
        JdbcStore.create(database.dataSource());
        JdbcStore store = JdbcStore.create(ConnectionSource.of(this::connection));
        opened = 0;
        closed = 0;
        return store;
    }

    /** Whose commits fail as long as there are failures, after which nothing is committed. */
    private Connection connection() throws SQLException {
        Connection real = database.dataSource().getConnection();
        real.setAutoCommit(!managed || late);
        opened++;
        return (Connection) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {Connection.class}, (proxy, method, arguments) -> {
                    if (method.getName().equals("close")) {
                        closed++;
                        givenBackAs = real.getAutoCommit();
                    }
                    if (snapshotsFail
                            && String.valueOf(arguments == null ? "" : arguments[0])
                                    .contains("REPEATABLE")) {
                        throw new SQLException("no snapshot", "XX000");
                    }
                    if (method.getName().equals("commit") && !failures.isEmpty()) {
                        throw failures.remove();
                    }
                    if (method.getName().equals("commit") && managed) {
                        throw new SQLException("not in a managed transaction", "2D000");
                    }
                    if (method.getName().equals("setAutoCommit") && managed) {
                        return null;
                    }
                    if (method.getName().equals("prepareStatement") && managed) {
                        real.setAutoCommit(false);
                    }
                    if (method.getName().equals("getAutoCommit") && managed) {
                        return late;
                    }
                    try {
                        return method.invoke(real, managed ? arguments : SeparateCommit.of(method, arguments));
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }

    @ParameterizedTest
    @ValueSource(strings = {"40001", "40P01"})
    void whatWasRolledBackBecauseOfOthersIsTriedAgain(String state) {
        JdbcStore store = store();
        failures.addAll(List.of(new SQLException("deadlock", state), new SQLException("deadlock", state)));

        Optional<Lease> lease = store.acquire("t", "r", "ada", NOW, NOW.plusSeconds(1));

        assertThat(lease).isPresent();
        assertThat(store.renew(lease.orElseThrow(), NOW.plusSeconds(2))).isEqualTo(Store.Renewal.RENEWED);
        assertThat(opened).isEqualTo(4).isEqualTo(closed);
    }

    @ParameterizedTest
    @ValueSource(strings = {"55P03"})
    void aLockIsWaitedForTwiceAtMost(String state) {
        JdbcStore store = store();
        failures.add(new SQLException("lock timeout", state));
        assertThat(store.acquire("t", "r", "ada", NOW, NOW.plusSeconds(1))).isPresent();

        failures.addAll(List.of(new SQLException("lock timeout", state), new SQLException("lock timeout", state)));

        assertThatThrownBy(() -> store.acquire("other", "r", "ada", NOW, NOW)).isInstanceOf(StoreException.class);
        assertThat(opened).isEqualTo(4).isEqualTo(closed);
    }

    @Test
    void butNotForEver() {
        JdbcStore store = store();
        for (int i = 0; i < 100; i++) {
            failures.add(new SQLException("deadlock", "40001"));
        }

        assertThatThrownBy(() -> store.acquire("t", "r", "ada", NOW, NOW)).isInstanceOf(StoreException.class);
        assertThat(opened).isEqualTo(8).isEqualTo(closed);
    }

    @ParameterizedTest
    @ValueSource(strings = {"08006", "40003", "57P01", "53100", ""})
    void whatMayHaveBeenCommittedIsNotTriedAgain(String state) {
        JdbcStore store = store();
        failures.add(new SQLException("connection lost", state));

        assertThatThrownBy(() -> store.acquire("t", "r", "ada", NOW, NOW))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("take a thread's lease")
                .hasMessageContaining("connection lost")
                .hasCauseInstanceOf(SQLException.class);
        assertThat(opened).isEqualTo(1).isEqualTo(closed);
    }

    /** What was sent together is read when it is committed. */
    @Test
    void whatCannotBeReadAfterACommitIsSaid() {
        JdbcStore store = store();
        Lease lease = store.acquire("t", "r", "ada", NOW, NOW.plusSeconds(1)).orElseThrow();
        store.commit(lease, Commit.empty(), NOW);
        store.release(lease);
        for (String table : List.of("thread", "batch")) {
            database.execute("ALTER TABLE holdpoint_" + table + " ALTER COLUMN changed_at TYPE TEXT USING 'no number'");
        }

        assertThatThrownBy(() -> store.acquireOwn("t", "r", "ada", NOW, NOW.plusSeconds(1)))
                .isInstanceOf(StoreException.class)
                .hasMessageStartingWith("cannot read a thread: ")
                .hasCauseInstanceOf(SQLException.class);

        assertThat(store.active("t", NOW)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aTransactionOfAManagerIsNotCommittedBehindItsBack(boolean whenUsed) {
        JdbcStore store = store();
        Lease lease = store.acquire("mine", "r", "ada", NOW, NOW.plusSeconds(1)).orElseThrow();
        managed = true;
        late = whenUsed;

        assertThatThrownBy(() -> store.acquire("t", "r", "ada", NOW, NOW.plusSeconds(1)))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("managed transaction");

        assertThatThrownBy(() -> store.commit(lease, Commit.empty(), NOW))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("managed transaction");

        managed = false;
        assertThat(store.active("t", NOW)).isEmpty();
        assertThat(store.find("mine")).isEmpty();
    }

    @Test
    void aConnectionOnWhichNoSnapshotBeginsIsGivenBackAsItCame() {
        JdbcStore store = store();
        snapshotsFail = true;

        assertThatThrownBy(store::check).isInstanceOf(StoreException.class).hasMessageContaining("no snapshot");

        assertThat(givenBackAs).isTrue();
        assertThat(opened).isEqualTo(1).isEqualTo(closed);
    }

    /** As a standby that is not promoted yet, or a server that an administrator has switched over. */
    @Test
    @Logs("* marked as broken because of SQLSTATE(08003)")
    void aPooledConnectionToAServerThatOnlyReadsIsGivenUpForANewOne() throws SQLException {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(database.url());
        config.setMaximumPoolSize(1);
        try (HikariDataSource pool = new HikariDataSource(config)) {
            Store store = JdbcStore.create(pool);
            try (Connection connection = pool.getConnection();
                    Statement statement = connection.createStatement()) {
                statement.execute("SET default_transaction_read_only = on");
            }

            assertThat(store.acquire("moved", "r", "ada", NOW, NOW.plusSeconds(30)))
                    .isPresent();
        }
    }

    @Test
    @Logs("* marked as broken because of SQLSTATE(08003)")
    void aServerThatOnlyReadsIsNotTriedForEver() {
        DataSource source = ConnectionSource.of(() -> {
            Connection connection = database.dataSource().getConnection();
            connection.setReadOnly(true);
            return connection;
        });
        JdbcStore.create(database.dataSource());
        Store store = JdbcStore.open(source);

        assertThatThrownBy(() -> store.acquire("moved", "r", "ada", NOW, NOW.plusSeconds(30)))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("read-only transaction");
    }

    @Test
    void aDatabaseOfAnotherKindIsRefused() {
        assertThatThrownBy(() -> JdbcStore.create(ConnectionSource.of(() -> (Connection) Proxy.newProxyInstance(
                        getClass().getClassLoader(),
                        new Class<?>[] {Connection.class},
                        (proxy, method, arguments) -> switch (method.getName()) {
                            case "getAutoCommit" -> true;
                            case "getMetaData" -> metaData();
                            case "close" -> null;
                            default -> throw new AssertionError(method);
                        }))))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("SQLite and PostgreSQL, not on Oracle");
    }

    private static Object metaData() {
        Class<?> type = java.sql.DatabaseMetaData.class;
        return Proxy.newProxyInstance(
                FailingDatabaseTest.class.getClassLoader(),
                new Class<?>[] {type},
                (proxy, method, arguments) -> "Oracle");
    }
}
