package io.holdpoint.store.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdpoint.agui.Interrupt;
import io.holdpoint.store.Batch;
import io.holdpoint.store.Call;
import io.holdpoint.store.Call.Question;
import io.holdpoint.store.Commit;
import io.holdpoint.store.Store.Lease;
import io.holdpoint.store.Store.Place;
import io.holdpoint.store.Store.Wanted;
import io.holdpoint.store.TimeStep;
import io.holdpoint.store.TurnRecord;
import io.holdpoint.testing.TestDatabase;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A page of one agent reads as many rows as it shows, however many the others and itself have. */
class AgentRowsTest {

    private static final int ROWS = 5_000;
    private static final int PAGE = 10;
    private static final Pattern READ = Pattern.compile("actual [^)]*rows=(\\d+)[^)]*");
    /** Without those whose run has died: they are looked for among the leases, which are few. */
    private static final Set<Wanted> WANTED = EnumSet.complementOf(EnumSet.of(Wanted.DESERTED));

    private static final Instant NOW = Instant.parse("2026-01-31T12:00:00Z");
    private static final Instant LATER = Instant.parse("2030-01-01T00:00:00Z");

    private final List<String> plans = new ArrayList<>();

    @ParameterizedTest
    @MethodSource("io.holdpoint.store.jdbc.Dialects#tried")
    void aPageReadsNoMoreThanItShows(SqlDialect dialect) throws SQLException {
        readPages(dialect, true);
    }

    /** PostgreSQL counts its rows by itself, SQLite never does. */
    @Test
    void aPageReadsNoMoreThanItShowsOnAFileThatNobodyHasAnalyzed() throws SQLException {
        readPages(SqlDialect.SQLITE, false);
    }

    private void readPages(SqlDialect dialect, boolean analyzed) throws SQLException {
        try (TestDatabase database = dialect == SqlDialect.SQLITE ? TestDatabase.sqlite() : TestDatabase.postgres()) {
            JdbcStore store = JdbcStore.create(database.dataSource());
            Lease lease =
                    store.acquire("real", "r", "ada", NOW, NOW.plusSeconds(1)).orElseThrow();
            store.commit(lease, Commit.of(due("real")), NOW);
            for (String agent : List.of("", "first", "second")) {
                fill(database, agent);
            }
            if (analyzed) {
                database.execute("ANALYZE");
            }
            for (String agent : List.of("", "second")) {
                try (Connection connection = database.dataSource().getConnection()) {
                    Sql sql = new Sql(explaining(connection, dialect), dialect, agent, false);
                    AgentRows rows = new AgentRows(sql);
                    for (Wanted what : WANTED) {
                        assertThat(rows.threads(what, Place.FIRST, LATER, PAGE)).hasSize(PAGE);
                    }
                    assertThat(rows.open(Optional.empty(), Place.FIRST, PAGE)).hasSize(PAGE);
                    assertThat(rows.open(Optional.of("ada"), Place.FIRST, PAGE)).hasSize(PAGE);
                    assertThat(plans.get(plans.size() - 1)).contains("holdpoint_batch_owner");
                    assertThat(rows.removeBatches(LATER, PAGE)).isEqualTo(PAGE);
                    assertThat(new Facts(sql).removeEnded(LATER, PAGE)).isEqualTo(PAGE);
                    assertThat(new FeedRows(sql, new FeedRows.Horizon()).read(0, PAGE, true))
                            .hasSize(PAGE);
                    assertThat(new AuditRows(sql).removeOldest(LATER, Long.MAX_VALUE, PAGE))
                            .isEqualTo(PAGE);
                }
            }
        }
        assertThat(plans).hasSize(2 * (WANTED.size() + 6));
        assertThat(plans).allSatisfy(plan -> {
            assertThat(plan)
                    .doesNotContain(
                            "Seq Scan on holdpoint_thread",
                            "Seq Scan on holdpoint_batch",
                            "Seq Scan on holdpoint_audit",
                            "Seq Scan on holdpoint_fact",
                            "SCAN h\n",
                            "SCAN t\n",
                            "SCAN a\n",
                            "SCAN holdpoint_audit\n",
                            "SCAN holdpoint_fact\n",
                            "PRIMARY KEY (rowid",
                            "FOR ORDER BY");
            assertThat(READ.matcher(plan).results().map(read -> Integer.parseInt(read.group(1))))
                    .allMatch(read -> read <= 2 * PAGE);
        });
    }

    /** Threads that wait, threads that are idle, finished batches and grants. */
    private static void fill(TestDatabase database, String agent) {
        String numbers =
                " WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < " + ROWS + ") SELECT ";
        String own = "'" + agent + "', ";
        String open = "'open-' || i";
        String idle = "'idle-' || i";
        database.execute("INSERT INTO holdpoint_thread (agent, thread_id, id_text, owner, batch_id, changed_at)"
                + numbers + own + open + ", " + open + ", 'ada', 'b' || i, i FROM n");
        database.execute("INSERT INTO holdpoint_thread (agent, thread_id, id_text, owner, changed_at)" + numbers + own
                + idle + ", " + idle + ", 'ada', i FROM n");
        for (String thread : List.of(open, idle)) {
            boolean waits = thread.equals(open);
            database.execute(
                    "INSERT INTO holdpoint_batch (agent, thread_id, batch_id, version, state, finished, changed_at,"
                            + " given_up, body, asked_at, due_at, owner)" + numbers + own + thread
                            + ", 'b' || i, 1, 'OPEN', "
                            + (waits ? "FALSE, i, FALSE, body, i, i" : "TRUE, i, FALSE, body, NULL, NULL")
                            + ", CASE WHEN i % " + ROWS / PAGE
                            + " = 0 THEN 'ada' ELSE 'bob' END FROM n, holdpoint_batch WHERE thread_id = 'real'");
            database.execute("INSERT INTO holdpoint_call (agent, thread_id, batch_id, position, body)" + numbers + own
                    + thread + ", 'b' || i, 0, body FROM n, holdpoint_call WHERE thread_id = 'real'");
        }
        database.execute("INSERT INTO holdpoint_fact (agent, thread_id, kind, name, ends_at, value)" + numbers + own
                + idle + ", 'GRANT', 'g', i, '{}' FROM n");
        database.execute("INSERT INTO holdpoint_audit (agent, thread_id, at, run_id, caller, kind, detail)" + numbers
                + own + open + ", i, 'r', 'ada', 'DISCARDED', '{}' FROM n");
    }

    /** The connection, whose queries are explained with their parameters before they are answered. */
    private Connection explaining(Connection real, SqlDialect dialect) {
        return proxy(Connection.class, real, (proxy, method, arguments) -> {
            Object result = invoke(real, method, arguments);
            return result instanceof PreparedStatement statement && isOfAPage((String) arguments[0])
                    ? explaining(statement, real.prepareStatement(explain(dialect) + arguments[0]), dialect)
                    : result;
        });
    }

    private static boolean isOfAPage(String query) {
        return query.endsWith("LIMIT ?");
    }

    private static String explain(SqlDialect dialect) {
        return dialect == SqlDialect.SQLITE ? "EXPLAIN QUERY PLAN " : "EXPLAIN (ANALYZE) ";
    }

    private PreparedStatement explaining(PreparedStatement real, PreparedStatement explained, SqlDialect dialect) {
        return proxy(PreparedStatement.class, real, (proxy, method, arguments) -> {
            if (method.getName().equals("setObject")) {
                invoke(explained, method, arguments);
            } else if (method.getName().equals("executeQuery")) {
                StringBuilder plan = new StringBuilder();
                try (ResultSet rows = explained.executeQuery()) {
                    while (rows.next()) {
                        plan.append(rows.getString(dialect == SqlDialect.SQLITE ? 4 : 1))
                                .append('\n');
                    }
                }
                plans.add(plan.toString());
            }
            return invoke(real, method, arguments);
        });
    }

    private static Object invoke(Object on, java.lang.reflect.Method method, Object[] arguments) throws Throwable {
        try {
            return method.invoke(on, arguments);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }

    private static <T> T proxy(Class<T> type, T real, InvocationHandler handler) {
        return type.cast(Proxy.newProxyInstance(AgentRowsTest.class.getClassLoader(), new Class<?>[] {type}, handler));
    }

    private static Batch due(String threadId) {
        Interrupt interrupt = new Interrupt("i", "tool_call", null, null, null, null, null);
        Question question = new Question(
                Question.Kind.APPROVAL, interrupt, NOW, null, List.of(new TimeStep(NOW, TimeStep.Kind.REMIND, null)));
        Call.Proposal proposal =
                new Call.Proposal("tool", "{}", StoredText.sha256("{}"), "tool-hash", false, false, null, null);
        return Batch.of(
                "b",
                threadId,
                new TurnRecord("u1", "{}", Set.of(), null),
                new Batch.ModelMessage("m", "{}"),
                List.of(Call.pending("c", proposal, "result").heldBy(question)));
    }
}
