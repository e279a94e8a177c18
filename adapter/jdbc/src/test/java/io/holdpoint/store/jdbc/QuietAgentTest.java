package io.holdpoint.store.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdpoint.store.Store.Cursor;
import io.holdpoint.store.Store.Fed;
import io.holdpoint.store.Store.Old;
import io.holdpoint.testing.TestDatabase;
import java.sql.SQLException;
import java.time.Instant;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** An agent that has few audit events among those of many does not read the others' again and again. */
class QuietAgentTest {

    private static final Instant NOW = Instant.parse("2026-01-31T12:00:00Z");
    private static final long MANY = 20_000;

    private TestDatabase database;
    private JdbcStore store;

    private void start(SqlDialect dialect) {
        database = dialect == SqlDialect.SQLITE ? TestDatabase.sqlite() : TestDatabase.postgres();
        store = JdbcStore.create(database.dataSource());
    }

    @AfterEach
    void close() {
        database.close();
    }

    private void event(long id, String agent) {
        boolean isPostgres = !database.url().contains("sqlite");
        database.execute("INSERT INTO holdpoint_audit (id, at, thread_id, run_id, caller, kind, detail)"
                + (isPostgres ? " OVERRIDING SYSTEM VALUE" : "")
                + " VALUES (%d, 1, '%s\\u001ft', 'r', 'ada', 'DISCARDED', '{}')".formatted(id, agent));
    }

    private int purge(int limit) {
        return store.purge(Old.AUDIT_EVENT, "quiet", NOW, limit);
    }

    /** An event that is put far behind the others is found only by reading all of them. */
    @ParameterizedTest
    @MethodSource("io.holdpoint.store.jdbc.Dialects#tried")
    void aPurgeThatHasRemovedAllGoesOnAtTheEnd(SqlDialect dialect) {
        start(dialect);
        event(3, "quiet");
        event(4, "quiet");
        event(MANY, "busy");
        assertThat(purge(1)).isEqualTo(1);
        assertThat(purge(9)).isEqualTo(1);

        event(5, "quiet");
        assertThat(purge(9)).isZero();
        event(MANY - 1, "quiet");
        event(MANY + 1, "quiet");
        assertThat(purge(9)).isEqualTo(2);
    }

    @ParameterizedTest
    @MethodSource("io.holdpoint.store.jdbc.Dialects#tried")
    void aPurgeThatHasFoundNothingGoesOnAtTheEnd(SqlDialect dialect) {
        start(dialect);
        assertThat(purge(9)).isZero();
        event(MANY, "busy");
        assertThat(purge(9)).isZero();

        event(5, "quiet");
        assertThat(purge(9)).isZero();
    }

    /** An event that a reader has not passed is kept, and removed once it has. */
    @ParameterizedTest
    @MethodSource("io.holdpoint.store.jdbc.Dialects#tried")
    void aPurgeComesBackToWhatAReaderHasHeldBack(SqlDialect dialect) {
        start(dialect);
        Cursor before = cursor();
        event(3, "quiet");
        event(MANY, "busy");
        assertThat(purge(9)).isZero();

        Cursor held = cursor();
        store.advance(held, held.at(3, before.retries()));
        assertThat(purge(9)).isEqualTo(1);
    }

    @ParameterizedTest
    @MethodSource("io.holdpoint.store.jdbc.Dialects#tried")
    void thePlaceOfAReaderThatHasNothingToReadIsMovedOn(SqlDialect dialect) throws SQLException {
        start(dialect);
        cursor();
        event(MANY, "busy");

        Cursor idle = cursor();

        assertThat(idle.oldest()).isEmpty();
        assertThat(idle.position()).isEqualTo(MANY);
        assertThat(JdbcStore.open(database.dataSource())
                        .cursor("quiet", "mail", "b", NOW, NOW.plusSeconds(5))
                        .orElseThrow()
                        .position())
                .isEqualTo(MANY);
        event(MANY + 1, "quiet");
        assertThat(cursor().oldest()).isPresent();
        assertThat(store.feed("quiet", MANY, 9)).extracting(Fed::position).containsExactly(MANY + 1);
    }

    private Cursor cursor() {
        return store.cursor("quiet", "mail", "a", NOW, NOW.plusSeconds(5)).orElseThrow();
    }
}
