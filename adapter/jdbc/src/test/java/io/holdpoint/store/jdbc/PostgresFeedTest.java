package io.holdpoint.store.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdpoint.store.Store;
import io.holdpoint.testing.TestDatabase;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** PostgreSQL numbers events before it commits them; the feed loses none all the same. */
@Tag("deep")
class PostgresFeedTest {

    private final TestDatabase database = TestDatabase.postgres();

    private Store createStore() {
        return JdbcStore.create(database.dataSource());
    }

    @AfterEach
    void close() {
        database.close();
    }

    private static Sql begun(Connection connection) throws SQLException {
        connection.setAutoCommit(false);
        Sql sql = new Sql(connection, SqlDialect.POSTGRESQL, "", false);
        sql.list("SELECT pg_current_xact_id()::text", row -> true); // as whoever locks a lease has a number
        return sql;
    }

    private static void addEvent(Sql sql, String run) throws SQLException {
        sql.update(
                "INSERT INTO holdpoint_audit (at, agent, thread_id, run_id, caller, kind, detail)" + " VALUES (("
                        + SqlDialect.POSTGRESQL.present() + "), '', 't', ?, 'ada', 'HELD', '{}')",
                run);
    }

    private static List<String> runs(Store store) {
        return store.feed(0, 9).stream().map(fed -> fed.event().runId()).toList();
    }

    /** The numbers of the transactions are in the order of the events, or in the other one. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void theFeedLosesNoEventOfATransactionThatCommitsLater(boolean inOrder) throws SQLException {
        Store store = createStore();
        try (Connection one = database.dataSource().getConnection();
                Connection two = database.dataSource().getConnection()) {
            Sql first = begun(inOrder ? one : two);
            Sql second = begun(inOrder ? two : one);
            Sql early = inOrder ? first : second;
            Sql late = inOrder ? second : first;
            addEvent(early, "1");
            addEvent(late, "2");
            late.connection.commit();

            assertThat(runs(store)).isEmpty();
            assertThat(runs(store)).isEmpty();
            addEvent(late, "3"); // another transaction has begun before the first one ends
            early.connection.commit();
            assertThat(runs(store)).containsExactly("1", "2");
            late.connection.commit();
            assertThat(runs(store)).containsExactly("1", "2", "3");
        }
    }

    /** The new primary lacks what the old one had not sent, and gives the same numbers again. */
    @Test
    void theFeedLosesNothingAfterAFailoverThatLostEvents() throws SQLException {
        Store store = createStore();
        try (Connection one = database.dataSource().getConnection();
                Connection two = database.dataSource().getConnection()) {
            Sql lost = begun(one);
            for (String run : List.of("1", "2", "3", "4")) {
                addEvent(lost, run);
            }
            lost.connection.commit();
            assertThat(runs(store)).hasSize(4);
            database.execute("DELETE FROM holdpoint_audit");
            database.execute("ALTER TABLE holdpoint_audit ALTER COLUMN id RESTART");
            Sql early = begun(one);
            Sql late = begun(two);
            addEvent(early, "5");
            addEvent(late, "6");
            late.connection.commit();

            assertThat(runs(store)).isEmpty();
            early.connection.commit();
            assertThat(runs(store)).containsExactly("5", "6");
        }
    }

    /** A reader that begins while a transaction is open is told of its events: they happen from then on. */
    @Test
    void aNewReaderBeginsWhereEventsMayStillCome() throws SQLException {
        Store store = createStore();
        try (Connection one = database.dataSource().getConnection();
                Connection two = database.dataSource().getConnection()) {
            Sql early = begun(one);
            Sql late = begun(two);
            addEvent(early, "1");
            addEvent(late, "2");
            late.connection.commit();
            long end = store.feedEnd();
            early.connection.commit();

            assertThat(store.feed(end, 9))
                    .extracting(fed -> fed.event().runId())
                    .contains("1");
        }
    }
}
