package io.holdpoint.store.jdbc;

import io.holdpoint.store.RecordJson;
import io.holdpoint.store.StoreException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Prepared statements with their parameters, and what columns hold: records as JSON, and instants as microseconds since
 * 1970-01-01T00:00Z, which every database has a type for. Everything opened is closed.
 */
final class Sql {

    private static final Logger LOG = LoggerFactory.getLogger(Sql.class);
    private static final Instant FIRST = Instant.parse("0001-01-01T00:00:00Z");
    private static final Instant LAST = Instant.parse("9999-12-31T23:59:59Z");

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

    // --- columns

    /** The microsecond that the instant is in. */
    static long micros(Instant instant) {
        Instant within = instant.isBefore(FIRST) ? FIRST : instant.isAfter(LAST) ? LAST : instant;
        return within.getEpochSecond() * 1_000_000 + within.getNano() / 1_000;
    }

    /** The first microsecond that does not come before the instant: a time rounded down would end a lease too early. */
    static long microsUp(Instant instant) {
        long floor = micros(instant);
        return instant(floor).isBefore(instant) && instant.isBefore(LAST) ? floor + 1 : floor;
    }

    static Instant instant(long micros) {
        return Instant.EPOCH.plus(micros, ChronoUnit.MICROS);
    }

    /**
     * The record; empty if it is unreadable, which the log tells and which must not hide the others of its thread, or if it is of
     * a kind that a later version has added.
     */
    static <T> Optional<T> record(String what, String threadId, String json, Class<T> type) {
        try {
            return RecordJson.readKnown(json, type);
        } catch (StoreException e) {
            LOG.error("{} of thread {} cannot be read and counts as absent", what, StoredText.write(threadId), e);
            return Optional.empty();
        }
    }
}
