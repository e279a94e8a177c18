package io.holdpoint.store.jdbc;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Prepared statements with their parameters. Everything opened is closed. */
final class Sql {

    private Sql() {}

    /** Reads a row. */
    @FunctionalInterface
    interface Row<T> {
        T read(ResultSet row) throws SQLException;
    }

    /** Executes and says how many rows were affected. */
    static int update(Connection connection, String sql, @Nullable Object... parameters) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            bind(statement, parameters);
            return statement.executeUpdate();
        }
    }

    /** Executes once for each list of parameters, in order. */
    static void batch(Connection connection, String sql, List<@Nullable Object[]> rows) throws SQLException {
        if (rows.isEmpty()) {
            return;
        }
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            for (@Nullable Object[] row : rows) {
                bind(statement, row);
                statement.addBatch();
            }
            statement.executeBatch();
        }
    }

    static <T> List<T> list(Connection connection, String sql, Row<T> reader, @Nullable Object... parameters)
            throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            bind(statement, parameters);
            try (ResultSet rows = statement.executeQuery()) {
                List<T> all = new ArrayList<>();
                while (rows.next()) {
                    all.add(reader.read(rows));
                }
                return all;
            }
        }
    }

    /** The first row, if there is one. */
    static <T> Optional<T> first(Connection connection, String sql, Row<T> reader, @Nullable Object... parameters)
            throws SQLException {
        List<T> all = list(connection, sql, reader, parameters);
        return all.isEmpty() ? Optional.empty() : Optional.of(all.get(0));
    }

    static boolean exists(Connection connection, String sql, @Nullable Object... parameters) throws SQLException {
        return first(connection, sql, row -> true, parameters).isPresent();
    }

    private static void bind(PreparedStatement statement, @Nullable Object... parameters) throws SQLException {
        for (int i = 0; i < parameters.length; i++) {
            statement.setObject(i + 1, parameters[i]);
        }
    }
}
