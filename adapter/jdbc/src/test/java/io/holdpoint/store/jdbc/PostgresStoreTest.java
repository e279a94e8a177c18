package io.holdpoint.store.jdbc;

import static io.holdpoint.test.ScriptedModel.call;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdpoint.PendingInterrupt;
import io.holdpoint.agui.Message;
import io.holdpoint.store.Commit;
import io.holdpoint.store.Store;
import io.holdpoint.store.StoreContractTest;
import io.holdpoint.store.StoreException;
import io.holdpoint.testing.Bench;
import io.holdpoint.testing.TestDatabase;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PostgresStoreTest extends StoreContractTest {

    private static final Instant NOW = Instant.parse("2026-01-31T12:00:00Z");
    private static final long WAITING = 4711;

    private final TestDatabase database = TestDatabase.postgres();

    @Override
    protected Store createStore() {
        return JdbcStore.create(database.dataSource());
    }

    @Test
    void aCommitThatFailsKeepsNothing() {
        Store store = createStore();
        Store.Lease lease =
                store.acquire("late", "r", "ada", NOW, NOW.plusSeconds(30)).orElseThrow();
        database.execute("CREATE FUNCTION refuse() RETURNS trigger AS $$ BEGIN RAISE EXCEPTION 'not today'; END $$"
                + " LANGUAGE plpgsql");
        database.execute("CREATE CONSTRAINT TRIGGER refused AFTER INSERT ON holdpoint_message DEFERRABLE INITIALLY"
                + " DEFERRED FOR EACH ROW EXECUTE FUNCTION refuse()"); // that is, with the commit
        Commit commit = Commit.empty().append(List.of(new Message.Assistant("a", "Hi", List.of())));

        assertThatThrownBy(() -> store.commit(lease, commit, NOW))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("not today");

        assertThat(store.find("late")).isEmpty();
        assertThat(store.transcript("late")).isEmpty();
        database.execute("DROP TRIGGER refused ON holdpoint_message");
        store.commit(lease, commit, NOW);
        assertThat(store.transcript("late")).hasSize(1);
    }

    /** A trigger keeps the lease of a foreign caller waiting after its statement has looked for the thread. */
    @Test
    @Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void aThreadThatAnotherOwnerHasBegunMeanwhileIsLeftAlone() throws Exception {
        Store store = createStore();
        database.execute("CREATE FUNCTION wait() RETURNS trigger AS $$ BEGIN PERFORM pg_advisory_xact_lock(" + WAITING
                + "); RETURN NEW; END $$ LANGUAGE plpgsql");
        database.execute("CREATE TRIGGER waits BEFORE INSERT ON holdpoint_lease FOR EACH ROW EXECUTE FUNCTION wait()");
        CompletableFuture<Optional<Store.Acquired>> foreign;
        try (Connection own = database.dataSource().getConnection()) {
            own.setAutoCommit(false);
            Sql sql = new Sql(own, SqlDialect.POSTGRESQL, false);
            sql.list("SELECT pg_advisory_xact_lock(" + WAITING + ")", row -> true);
            sql.update("INSERT INTO holdpoint_thread (thread_id, id_text, owner) VALUES ('new', 'new', 'bob')");
            foreign =
                    CompletableFuture.supplyAsync(() -> store.acquireOwn("new", "r", "ada", NOW, NOW.plusSeconds(30)));
            while (!sql.exists("SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND NOT granted")) {
                Thread.onSpinWait();
            }
            own.commit();
            own.setAutoCommit(true);
        }

        assertThat(foreign.get()).isEmpty();
        assertThat(store.active("new", NOW)).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"off, on", "on, on", "remote_apply, remote_apply"})
    void aCommitWaitsForTheDiskWhateverTheServerSays(String ofServer, String ofCommit) throws SQLException {
        DataSource source = ConnectionSource.of(() -> {
            Connection connection = database.dataSource().getConnection();
            try (Statement statement = connection.createStatement()) {
                statement.execute("SET synchronous_commit = " + ofServer);
            }
            return connection;
        });
        Store durable = JdbcStore.create(source);
        database.execute("CREATE TABLE seen (value TEXT)");
        database.execute("CREATE FUNCTION note() RETURNS trigger AS $$ BEGIN INSERT INTO seen"
                + " VALUES (current_setting('synchronous_commit')); RETURN NULL; END $$ LANGUAGE plpgsql");
        for (String table : List.of("lease", "thread", "batch", "call", "message", "audit", "grant")) {
            database.execute("CREATE CONSTRAINT TRIGGER noted AFTER INSERT OR UPDATE OR DELETE ON holdpoint_" + table
                    + " DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION note()");
        }
        Bench bench = new Bench(builder -> builder.store(durable));
        bench.model.calls(call("c1", "sendEmail", Bench.MAIL)).says("Done.");

        bench.agent().send("other", "Write");
        PendingInterrupt asked = bench.agent().pending("other").get(0);
        bench.agent().resume("other", asked.asApproval().approve());

        try (Connection connection = database.dataSource().getConnection();
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("SELECT DISTINCT value FROM seen")) {
            assertThat(rows.next()).isTrue();
            assertThat(rows.getString(1)).isEqualTo(ofCommit);
            assertThat(rows.next()).isFalse();
        }
    }

    @Override
    protected void close() {
        database.close();
    }
}
