package io.holdpoint.people;

import io.holdpoint.ProposedCall;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import javax.sql.DataSource;

/**
 * Shows what a statement would do to a database: it is executed in a transaction that is always rolled back. The plan is {@code {"rows": 12,
 * "before"?: [{...}], "after"?: [{...}]}}; how many rows it would change, and each row as it was before, are the facts. Immutable, and thread-safe as
 * its data source is.
 *
 * <p>The statement takes its locks for a moment, its triggers fire, and sequences go on: what a database does outside of transactions is not taken
 * back. Give it a data source whose connections wait only shortly for a lock.
 */
public final class JdbcEffect implements Effect {

    /** The most rows that are shown: with more, there is no plan, and the reason names this number. */
    public static final int MOST_ROWS = 20;

    private final DataSource dataSource;
    private final Function<ProposedCall, Sql> change;
    private final Optional<Function<ProposedCall, Sql>> rows;

    /**
     * A statement with its values.
     *
     * @param text with a {@code ?} for each value
     * @param values for {@link PreparedStatement#setObject(int, Object)}, {@code null} included
     */
    public record Sql(String text, List<?> values) {

        /** Copies nothing: the values are used at once. */
        public Sql {
            Objects.requireNonNull(text, "text");
            Objects.requireNonNull(values, "values");
        }

        /** Makes a statement with values none of which is {@code null}. */
        public static Sql of(String text, Object... values) {
            return new Sql(text, List.of(values));
        }
    }

    private JdbcEffect(
            DataSource dataSource, Function<ProposedCall, Sql> change, Optional<Function<ProposedCall, Sql>> rows) {
        this.dataSource = Objects.requireNonNull(dataSource, "dataSource");
        this.change = Objects.requireNonNull(change, "change");
        this.rows = rows;
    }

    /**
     * Makes the effect of calls that execute a statement.
     *
     * @param dataSource gives a connection of its own for each plan
     * @param change an {@code INSERT}, {@code UPDATE} or {@code DELETE}, with what the call would run with
     */
    public static JdbcEffect of(DataSource dataSource, Function<ProposedCall, Sql> change) {
        return new JdbcEffect(dataSource, change, Optional.empty());
    }

    /**
     * Shows rows besides, as they are and as they would be, and has those that are there run with the call only if they are as they were shown.
     *
     * @param rows a {@code SELECT} with an {@code ORDER BY}, of {@value #MOST_ROWS} rows at most
     */
    public JdbcEffect showing(Function<ProposedCall, Sql> rows) {
        return new JdbcEffect(dataSource, change, Optional.of(rows));
    }

    @Override
    public Plan plan(ProposedCall call) throws SQLException {
        try (Connection connection = dataSource.getConnection()) {
            boolean commits = connection.getAutoCommit();
            connection.setAutoCommit(false);
            try {
                return plan(connection, call);
            } finally {
                connection.rollback();
                connection.setAutoCommit(commits);
            }
        }
    }

    private Plan plan(Connection connection, ProposedCall call) throws SQLException {
        Map<String, Object> shown = new LinkedHashMap<>();
        List<Map<String, Object>> before =
                rows.isPresent() ? read(connection, rows.get().apply(call)) : List.of();
        int changed;
        try (PreparedStatement statement = prepared(connection, change.apply(call))) {
            changed = statement.executeUpdate();
        }
        shown.put("rows", changed);
        if (rows.isPresent()) {
            shown.put("before", before);
            shown.put("after", read(connection, rows.get().apply(call)));
        }
        Plan plan = Plan.of(shown).holds("rows", changed);
        for (int i = 0; i < before.size(); i++) {
            plan = plan.holds("row " + (i + 1), before.get(i));
        }
        return plan;
    }

    private static List<Map<String, Object>> read(Connection connection, Sql select) throws SQLException {
        List<Map<String, Object>> all = new ArrayList<>();
        try (PreparedStatement statement = prepared(connection, select);
                ResultSet result = statement.executeQuery()) {
            ResultSetMetaData columns = result.getMetaData();
            while (result.next()) {
                if (all.size() == MOST_ROWS) {
                    throw new SQLException("the statement that shows rows has more than " + MOST_ROWS
                            + " of them: let it select fewer");
                }
                Map<String, Object> row = new LinkedHashMap<>();
                for (int i = 1; i <= columns.getColumnCount(); i++) {
                    row.put(columns.getColumnLabel(i), shown(result.getObject(i)));
                }
                all.add(row);
            }
        }
        return all;
    }

    private static PreparedStatement prepared(Connection connection, Sql sql) throws SQLException {
        PreparedStatement statement = connection.prepareStatement(sql.text);
        for (int i = 0; i < sql.values.size(); i++) {
            statement.setObject(i + 1, sql.values.get(i));
        }
        return statement;
    }

    private static Object shown(Object value) {
        if (value instanceof byte[] bytes) {
            return bytes.length + " bytes";
        }
        return value == null || value instanceof Number || value instanceof Boolean ? value : value.toString();
    }
}
