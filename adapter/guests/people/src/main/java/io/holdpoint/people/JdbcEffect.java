package io.holdpoint.people;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.holdpoint.ProposedCall;
import io.holdpoint.internal.gate.ToolArguments;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import javax.sql.DataSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Shows what a statement would do to a database: it is executed in a transaction that is always rolled back. The plan is {@code {"rows": 12,
 * "before"?: [{...}], "after"?: [{...}]}}; how many rows it would change, and each row as it was before, are the facts. Immutable, and thread-safe as
 * its data source is.
 *
 * <p>All of this is done before anybody has approved the call. So the text of a statement is fixed, and the arguments of a call are its values only. The
 * statement takes its locks for a moment, its triggers fire, and sequences go on: what a database does outside of transactions is not taken back. Give it no
 * statement that ends a transaction, as those that change tables do in some databases, and a data source that writes, and whose connections wait only shortly
 * for a lock.
 */
public final class JdbcEffect implements Effect {

    /** The most rows that are shown: with more, there is no plan, and the reason names this number. */
    public static final int MOST_ROWS = 20;

    private static final Logger LOG = LoggerFactory.getLogger(JdbcEffect.class);

    private static final long AGAIN_MILLIS = 100;

    /** The class of SQL states of a serialization failure, and of a deadlock. */
    private static final String ROLLED_BACK = "40";

    /** SQLite's driver gives a number and no state. */
    private static final int SQLITE_BUSY = 5;

    private final DataSource dataSource;
    private final Sql change;
    private final Optional<Sql> rows;
    private final Duration within;

    /** A statement, with what gives the values for its question marks. */
    private record Sql(String text, Function<ProposedCall, List<?>> values) {

        Sql {
            Objects.requireNonNull(text, "text");
            Objects.requireNonNull(values, "values");
        }
    }

    private JdbcEffect(DataSource dataSource, Sql change, Optional<Sql> rows, Duration within) {
        this.dataSource = Objects.requireNonNull(dataSource, "dataSource");
        this.change = change;
        this.rows = rows;
        this.within = within;
    }

    /**
     * Makes the effect of calls that execute a statement.
     *
     * @param dataSource gives a connection of its own for each plan
     * @param change an {@code INSERT}, {@code UPDATE} or {@code DELETE}, with a {@code ?} for each value; never made of what a model has written
     * @param values those of the call, for {@link PreparedStatement#setObject(int, Object)}; {@code null} may be among them
     */
    public static JdbcEffect of(DataSource dataSource, String change, Function<ProposedCall, List<?>> values) {
        return new JdbcEffect(dataSource, new Sql(change, values), Optional.empty(), Duration.ofSeconds(5));
    }

    /**
     * Shows rows besides, as they are and as they would be, and has those that are there run with the call only if they are as they were shown.
     *
     * @param select a {@code SELECT} with an {@code ORDER BY}, of {@value #MOST_ROWS} rows at most
     * @param values those of the call
     */
    public JdbcEffect showing(String select, Function<ProposedCall, List<?>> values) {
        return new JdbcEffect(dataSource, change, Optional.of(new Sql(select, values)), within);
    }

    /**
     * Waits for another time than 5 seconds for a plan. A statement that takes longer is cancelled, and its connection is given back.
     *
     * @throws IllegalArgumentException if the time is not positive
     */
    public JdbcEffect within(Duration most) {
        if (most.isNegative() || most.isZero()) {
            throw new IllegalArgumentException("within(" + most + ") must be positive, such as PT2S");
        }
        return new JdbcEffect(dataSource, change, rows, most);
    }

    @Override
    public Duration within() {
        return within;
    }

    @Override
    public Plan plan(ProposedCall call) throws SQLException {
        try {
            return rolledBack(call);
        } catch (SQLException e) {
            if (!isForOthers(e)) {
                throw e;
            }
            return rolledBack(call);
        }
    }

    /** Says whether a database gave a transaction up because of another one, as SQLite does when something was written since it began to read. */
    private static boolean isForOthers(SQLException e) {
        String state = e.getSQLState();
        return state == null ? e.getErrorCode() == SQLITE_BUSY : state.startsWith(ROLLED_BACK);
    }

    private Plan rolledBack(ProposedCall call) throws SQLException {
        try (Connection connection = dataSource.getConnection()) {
            boolean commits = connection.getAutoCommit();
            connection.setAutoCommit(false);
            try {
                return plan(connection, call);
            } finally {
                rollBack(connection, commits);
            }
        }
    }

    /** Some databases commit what is left when a connection is closed. */
    private static void rollBack(Connection connection, boolean commits) throws SQLException {
        try {
            connection.rollback();
        } catch (SQLException e) {
            connection.abort(Runnable::run);
            throw e;
        }
        connection.setAutoCommit(commits);
    }

    private Plan plan(Connection connection, ProposedCall call) throws SQLException {
        List<Map<String, Object>> before = selected(connection, call);
        int changed = executed(connection, change, call, PreparedStatement::executeUpdate);
        Map<String, Object> shown = new LinkedHashMap<>(Map.of("rows", changed));
        if (rows.isPresent()) {
            shown.put("before", before);
            shown.put("after", selected(connection, call));
        }
        Plan plan = Plan.of(shown).holds("rows", changed);
        for (int i = 0; i < before.size(); i++) {
            plan = plan.holds("row " + (i + 1), before.get(i));
        }
        return plan;
    }

    private List<Map<String, Object>> selected(Connection connection, ProposedCall call) throws SQLException {
        return rows.isPresent() ? executed(connection, rows.get(), call, JdbcEffect::rows) : List.of();
    }

    private static List<Map<String, Object>> rows(PreparedStatement statement) throws SQLException {
        List<Map<String, Object>> all = new ArrayList<>();
        try (ResultSet result = statement.executeQuery()) {
            ResultSetMetaData columns = result.getMetaData();
            while (result.next()) {
                if (all.size() == MOST_ROWS) {
                    throw new SQLException("the statement that shows rows has more than " + MOST_ROWS
                            + " of them: let it select fewer");
                }
                Map<String, Object> row = new LinkedHashMap<>();
                for (int i = 1; i <= columns.getColumnCount(); i++) {
                    String name = columns.getColumnLabel(i);
                    if (row.containsKey(name)) {
                        throw new SQLException("the statement that shows rows has two columns \"" + name
                                + "\": give one another name with AS");
                    }
                    row.put(name, shown(result.getObject(i)));
                }
                all.add(row);
            }
        }
        return all;
    }

    /** Cancels a statement that is late, until it has ended: a driver does not look at whether its thread was interrupted. */
    private <T> T executed(Connection connection, Sql sql, ProposedCall call, Executed<T> executed)
            throws SQLException {
        List<?> values = sql.values.apply(call);
        AtomicBoolean ended = new AtomicBoolean();
        try (PreparedStatement statement = connection.prepareStatement(sql.text)) {
            for (int i = 0; i < values.size(); i++) {
                statement.setObject(i + 1, values.get(i));
            }
            cancel(statement, ended, within.toMillis());
            try {
                return executed.execute(statement);
            } finally {
                ended.set(true);
            }
        }
    }

    private static void cancel(PreparedStatement statement, AtomicBoolean ended, long millis) {
        CompletableFuture.delayedExecutor(millis, TimeUnit.MILLISECONDS).execute(() -> {
            if (!ended.get()) {
                try {
                    statement.cancel();
                    cancel(statement, ended, AGAIN_MILLIS); // some take no notice before they have begun
                } catch (SQLException e) {
                    LOG.warn("A statement that is late cannot be cancelled", e);
                }
            }
        });
    }

    /** Executes a statement. */
    @FunctionalInterface
    private interface Executed<T> {
        T execute(PreparedStatement statement) throws SQLException;
    }

    private static Object shown(Object value) {
        if (value instanceof byte[] bytes) {
            return bytes.length + " bytes, fingerprint " + ToolArguments.sha256(new String(bytes, ISO_8859_1));
        }
        return value == null || value instanceof Number || value instanceof Boolean ? value : value.toString();
    }
}
