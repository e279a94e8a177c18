package io.holdpoint.store.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdpoint.agui.Message;
import io.holdpoint.agui.MessageContent;
import io.holdpoint.store.Commit;
import io.holdpoint.store.LeaseLostException;
import io.holdpoint.store.Store.Lease;
import io.holdpoint.store.StoreException;
import io.holdpoint.testing.TestDatabase;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** How the tables come into a database. */
abstract class SchemaContract {

    private static final int NODES = 4;
    private static final Instant NOW = Instant.parse("2026-01-31T12:00:00Z");

    private final TestDatabase database = createDatabase();

    abstract TestDatabase createDatabase();

    @AfterEach
    void close() {
        database.close();
    }

    private static void use(JdbcStore store) {
        store.release(store.acquire("t", "r", "ada", NOW, NOW.plusSeconds(1)).orElseThrow());
    }

    @Test
    void anEmptyDatabaseIsNotOpened() {
        assertThatThrownBy(() -> JdbcStore.open(database.dataSource()))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("no tables")
                .hasMessageContaining("io/holdpoint/store/jdbc/schema-");
    }

    @Test
    void tablesAreCreatedOnceAndOpenedAfterwards() {
        use(JdbcStore.create(database.dataSource()));
        use(JdbcStore.create(database.dataSource()));
        use(JdbcStore.open(database.dataSource()));
        assertThat(JdbcChatMemoryStore.open(database.dataSource()).getMessages("m"))
                .isEmpty();
    }

    @Test
    void whatWasLeftHalfDoneIsFinished() {
        JdbcStore.create(database.dataSource());
        database.execute("DROP TABLE holdpoint_audit");
        database.execute("DELETE FROM holdpoint_fact WHERE kind = 'SCHEMA'");

        JdbcStore store = JdbcStore.create(database.dataSource());

        assertThat(store.auditTrail("t", 0, 10)).isEmpty();
    }

    @Test
    void tablesOfANewerVersionAreRefused() {
        JdbcStore.create(database.dataSource());
        database.execute("UPDATE holdpoint_fact SET value = '99' WHERE kind = 'SCHEMA'");

        assertThatThrownBy(() -> JdbcStore.create(database.dataSource()))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("version 99")
                .hasMessageContaining("version " + Schema.VERSION);
        assertThatThrownBy(() -> JdbcStore.open(database.dataSource())).isInstanceOf(StoreException.class);
        assertThatThrownBy(() -> JdbcChatMemoryStore.create(database.dataSource()))
                .isInstanceOf(StoreException.class);
    }

    @Test
    void tablesOfASnapshotAreRefusedAndStayAsTheyAre() {
        say(JdbcStore.create(database.dataSource()), "u1");
        database.execute("CREATE TABLE holdpoint_schema (id INTEGER PRIMARY KEY, version INTEGER NOT NULL)");
        database.execute("DELETE FROM holdpoint_fact WHERE kind = 'SCHEMA'");

        for (Runnable use : List.<Runnable>of(
                () -> JdbcStore.create(database.dataSource()),
                () -> JdbcStore.open(database.dataSource()),
                () -> JdbcChatMemoryStore.create(database.dataSource()))) {
            assertThatThrownBy(use::run)
                    .isInstanceOf(StoreException.class)
                    .hasMessageContaining("a snapshot before the first release")
                    .hasMessageContaining("drop the tables");
        }

        database.execute("DROP TABLE holdpoint_schema");
        assertThat(JdbcStore.create(database.dataSource()).transcript("t")).hasSize(1);
    }

    /** There was no version 0: here it has no column for what a run cuts off, and a script of this test adds it. */
    @Test
    void tablesOfAnOlderVersionAreUpgradedAndKeepWhatTheyHold() {
        JdbcStore store = JdbcStore.create(database.dataSource());
        say(store, "u1");
        database.execute("ALTER TABLE holdpoint_message DROP COLUMN cut_by");
        database.execute("UPDATE holdpoint_fact SET value = '0' WHERE kind = 'SCHEMA'");
        assertThatThrownBy(() -> JdbcStore.open(database.dataSource()))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("version 0")
                .hasMessageContaining("create(dataSource), which upgrades them");

        Schema.create(database.dataSource(), List.of("-from-0"));

        JdbcStore upgraded = JdbcStore.open(database.dataSource());
        say(upgraded, "u2");
        assertThat(upgraded.transcript("t")).extracting(Message::id).containsExactly("u1", "u2");
        assertThat(upgraded.check()).isEmpty();
    }

    /** The second of the two scripts fails in its second statement. */
    @Test
    void anUpgradeThatFailsChangesNothing() {
        say(JdbcStore.create(database.dataSource()), "u1");

        assertThatThrownBy(() -> Schema.create(database.dataSource(), List.of("", "-adds", "-fails")))
                .isInstanceOf(StoreException.class);

        assertThat(JdbcStore.open(database.dataSource()).check()).isEmpty();
        assertThatThrownBy(() -> database.execute("UPDATE holdpoint_thread SET added_for_a_test = 'x'"))
                .isInstanceOf(IllegalStateException.class);
        Schema.create(database.dataSource(), List.of("", "-adds"));
        database.execute("UPDATE holdpoint_thread SET added_for_a_test = 'x'");
        assertThatThrownBy(() -> JdbcStore.open(database.dataSource())).hasMessageContaining("newer library");
    }

    private static void say(JdbcStore store, String messageId) {
        Lease lease = store.acquire("t", "r", "ada", NOW, NOW.plusSeconds(1)).orElseThrow();
        store.commit(
                lease, Commit.empty().append(List.of(new Message.User(messageId, MessageContent.text("Hi")))), NOW);
        store.release(lease);
    }

    @Test
    void severalNodesMayCreateTheTablesAtOnce() throws Exception {
        CyclicBarrier start = new CyclicBarrier(NODES);
        ExecutorService nodes = Executors.newFixedThreadPool(NODES);
        try {
            List<Future<JdbcStore>> stores = new ArrayList<>();
            for (int i = 0; i < NODES; i++) {
                stores.add(nodes.submit(() -> {
                    start.await();
                    return JdbcStore.create(database.dataSource());
                }));
            }
            for (Future<JdbcStore> store : stores) {
                use(store.get());
            }
        } finally {
            nodes.shutdown();
        }
        try (TestDatabase ofOneNode = createDatabase()) {
            JdbcStore.create(ofOneNode.dataSource());
            assertThat(indexes(database)).isEqualTo(indexes(ofOneNode));
        }
    }

    static List<String> indexes(TestDatabase database) throws SQLException {
        try (Connection connection = database.dataSource().getConnection();
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(
                        connection.getMetaData().getDatabaseProductName().equals("SQLite")
                                ? "SELECT name FROM sqlite_master WHERE type = 'index' ORDER BY 1"
                                : "SELECT indexname FROM pg_indexes WHERE schemaname = current_schema() ORDER BY 1")) {
            List<String> names = new ArrayList<>();
            while (rows.next()) {
                names.add(rows.getString(1));
            }
            return names;
        }
    }

    /** The modes of a connection that the store takes. */
    boolean[] autoCommits() {
        return new boolean[] {true, false};
    }

    @Test
    void aConnectionIsGivenBackAsItCame() throws Exception {
        JdbcStore store = JdbcStore.create(database.dataSource());
        for (boolean autoCommit : autoCommits()) {
            try (Connection only = database.dataSource().getConnection()) {
                only.setAutoCommit(autoCommit);
                JdbcStore onOne = JdbcStore.open(ConnectionSource.of(() -> neverClosed(only)));

                use(onOne);
                onOne.find("t");
                assertThatThrownBy(() -> onOne.commit(new Lease("t", "r", "ada", -1), Commit.empty(), NOW))
                        .isInstanceOf(LeaseLostException.class);

                assertThat(only.getAutoCommit()).isEqualTo(autoCommit);
                assertThat(store.acquire("t" + autoCommit, "r", "ada", NOW, NOW))
                        .isPresent();
            }
        }
    }

    private static Connection neverClosed(Connection connection) {
        return (Connection) Proxy.newProxyInstance(
                SchemaContract.class.getClassLoader(),
                new Class<?>[] {Connection.class},
                (proxy, method, arguments) -> {
                    try {
                        return method.getName().equals("close") ? null : method.invoke(connection, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }
}
