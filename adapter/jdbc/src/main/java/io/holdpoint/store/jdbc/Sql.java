package io.holdpoint.store.jdbc;

import io.holdpoint.store.DamagedException;
import io.holdpoint.store.RecordJson;
import io.holdpoint.store.StoreException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The statements of one connection, and what columns hold: records as JSON, and instants as microseconds since
 * 1970-01-01T00:00Z, which every database has a type for. Everything opened is closed. Not thread-safe.
 *
 * <p>Statements whose outcome is not needed at once may wait and be sent {@code together}, in their order and in one round
 * trip, the commit among them. When one of them does not do what it must, it fails, nothing is committed, and {@link RetryOneByOne}
 * says that the transaction is to be done again, statement by statement, which tells what was wrong.
 */
final class Sql {

    /** A parameter: no number. PostgreSQL prepares a statement again when the types of its parameters change. */
    static final Object NULL_BIGINT = new Object();

    /** Stands between statements that are sent together. */
    static final String NEXT = ";\n";

    private static final Logger LOG = LoggerFactory.getLogger(Sql.class);
    private static final Instant FIRST = Instant.parse("0001-01-01T00:00:00Z");
    private static final Instant LAST = Instant.parse("9999-12-31T23:59:59Z");

    /** The number of rows of one kind that are sent together: each number is another text that the database prepares. */
    private static final int FEW_ROWS = 4;

    final Connection connection;
    final SqlDialect dialect;
    /** The key of the agent whose rows are meant. */
    final String agent;

    private final boolean together;
    private final List<Answer<?>> waiting = new ArrayList<>();

    Sql(Connection connection, SqlDialect dialect, String agent, boolean together) {
        this.connection = connection;
        this.dialect = dialect;
        this.agent = agent;
        this.together = together;
    }

    /** Thrown when statements that were sent together are to be sent one by one, in a new transaction. */
    static final class RetryOneByOne extends RuntimeException {

        private static final long serialVersionUID = 1L;

        RetryOneByOne(Throwable cause) {
            super("statements are to be sent one by one", cause, false, false);
        }
    }

    /** Reads a row. */
    @FunctionalInterface
    interface Row<T> {
        T read(ResultSet row) throws SQLException;
    }

    /** Finds out why a statement has not changed the one row that it must change. */
    @FunctionalInterface
    interface Reason {
        RuntimeException find() throws SQLException;
    }

    /** A statement that may wait, and the rows that it reads. */
    static final class Answer<T> {

        private final String operation;
        private final String text;
        private final @Nullable Object[] parameters;
        private final @Nullable Row<T> reader;
        private List<T> rows = List.of();
        private @Nullable RuntimeException unreadable;

        private Answer(String operation, String text, @Nullable Object[] parameters, @Nullable Row<T> reader) {
            this.operation = operation;
            this.text = text;
            this.parameters = parameters;
            this.reader = reader;
        }

        /** A statement that reads nothing. */
        private static Answer<?> writing(String text, @Nullable Object[] parameters) {
            return new Answer<>("write", text, parameters, null);
        }

        /** A statement that fails in the database, so that what follows is not done, unless it changes a row. */
        private static Answer<?> mustChange(String text, @Nullable Object[] parameters) {
            return writing("WITH changed AS (" + text + " RETURNING 1) SELECT 1 / COUNT(*) FROM changed", parameters);
        }

        /**
         * The first row; empty before the statement is sent, too.
         *
         * @throws RuntimeException if the rows cannot be read, for which the transaction is not undone
         */
        Optional<T> first() {
            if (unreadable != null) {
                throw unreadable;
            }
            return rows.isEmpty() ? Optional.empty() : Optional.of(rows.get(0));
        }

        private void receive(PreparedStatement statement) throws SQLException {
            if (reader != null) {
                try (ResultSet found = statement.getResultSet()) {
                    rows = all(found, reader);
                } catch (SQLException e) {
                    unreadable = Database.failure(operation, e);
                } catch (RuntimeException e) {
                    unreadable = e;
                }
            }
        }
    }

    // --- statements that may wait

    /** Executes with the statements that follow; what it changes does not matter. */
    void write(String sql, @Nullable Object... parameters) throws SQLException {
        if (together) {
            waiting.add(Answer.writing(sql, parameters));
        } else {
            update(sql, parameters);
        }
    }

    /** Executes with the statements that follow, and must change one row. */
    void writeOne(Reason otherwise, String sql, @Nullable Object... parameters) throws SQLException {
        if (together) {
            waiting.add(Answer.mustChange(sql, parameters));
        } else if (update(sql, parameters) != 1) {
            throw otherwise.find();
        }
    }

    /** Like {@link #writeOne}; {@code false} if it has changed nothing, {@code true} also if that is not known yet. */
    boolean changesOne(String sql, @Nullable Object... parameters) throws SQLException {
        if (together) {
            waiting.add(Answer.mustChange(sql, parameters));
            return true;
        }
        return update(sql, parameters) == 1;
    }

    /** Inserts rows, in order. */
    void insert(String into, List<@Nullable Object[]> rows, String otherwise) throws SQLException {
        if (rows.isEmpty()) {
            return;
        }
        int columns = rows.get(0).length;
        String row = "(?" + ", ?".repeat(columns - 1) + ")";
        String one = into + " VALUES " + row;
        if (rows.size() > FEW_ROWS) {
            writeAll(one + otherwise, rows);
            return;
        }
        @Nullable Object[] parameters = new Object[columns * rows.size()];
        for (int i = 0; i < rows.size(); i++) {
            System.arraycopy(rows.get(i), 0, parameters, i * columns, columns);
        }
        write(one + (", " + row).repeat(rows.size() - 1) + otherwise, parameters);
    }

    /** Executes once for each list of parameters, in order. */
    void writeAll(String sql, List<@Nullable Object[]> rows) throws SQLException {
        if (rows.isEmpty()) {
            return;
        }
        if (together && rows.size() <= FEW_ROWS) {
            for (@Nullable Object[] row : rows) {
                waiting.add(Answer.writing(sql, row));
            }
            return;
        }
        send();
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            for (@Nullable Object[] row : rows) {
                bind(statement, 0, row);
                statement.addBatch();
            }
            statement.executeBatch();
        }
    }

    /** Reads with the statements that follow; the answer is there when the transaction has ended. */
    <T> Answer<T> read(String operation, String sql, Row<T> reader, @Nullable Object... parameters)
            throws SQLException {
        Answer<T> read = new Answer<>(operation, sql, parameters, reader);
        if (together) {
            waiting.add(read);
        } else {
            read.rows = list(sql, reader, parameters);
        }
        return read;
    }

    /** Sends what waits. */
    private void send() throws SQLException {
        send("");
    }

    /**
     * Sends what waits, and ends the transaction: with the last statement, or apart from it, so that a transaction manager can
     * refuse that.
     */
    void commit(boolean apart) throws SQLException {
        send(apart ? "" : NEXT + "COMMIT");
        connection.commit(); // asks the database if it was not sent; the driver and the pool are told in any case
    }

    private void send(String last) throws SQLException {
        if (waiting.isEmpty()) {
            return;
        }
        List<Answer<?>> sent = List.copyOf(waiting);
        waiting.clear();
        StringBuilder text = new StringBuilder();
        for (Answer<?> each : sent) {
            text.append(text.isEmpty() ? "" : NEXT).append(each.text);
        }
        text.append(last);
        try (PreparedStatement statement = connection.prepareStatement(text.toString())) {
            int bound = 0;
            for (Answer<?> each : sent) {
                bind(statement, bound, each.parameters);
                bound += each.parameters.length;
            }
            execute(statement);
            for (Answer<?> each : sent) {
                each.receive(statement);
                statement.getMoreResults();
            }
        }
    }

    /** A failure here has changed nothing; one that comes afterwards may have been committed. */
    private static void execute(PreparedStatement statement) throws SQLException {
        try {
            statement.execute();
        } catch (SQLException e) {
            if (SqlStates.isOfData(e)) { // of a statement that had to change a row, or of one that stood on it
                throw new RetryOneByOne(e);
            }
            throw e;
        }
    }

    // --- statements that are executed now, after those that wait

    /** Executes and says how many rows were affected. */
    int update(String sql, @Nullable Object... parameters) throws SQLException {
        send();
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            bind(statement, 0, parameters);
            return statement.executeUpdate();
        }
    }

    <T> List<T> list(String sql, Row<T> reader, @Nullable Object... parameters) throws SQLException {
        send();
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            bind(statement, 0, parameters);
            try (ResultSet rows = statement.executeQuery()) {
                return all(rows, reader);
            }
        }
    }

    /** The rows that can be read. */
    <T> List<T> known(String sql, Row<Optional<T>> reader, @Nullable Object... parameters) throws SQLException {
        return list(sql, reader, parameters).stream().flatMap(Optional::stream).toList();
    }

    /** The first row, if there is one. */
    <T> Optional<T> first(String sql, Row<T> reader, @Nullable Object... parameters) throws SQLException {
        List<T> all = list(sql, reader, parameters);
        return all.isEmpty() ? Optional.empty() : Optional.of(all.get(0));
    }

    boolean exists(String sql, @Nullable Object... parameters) throws SQLException {
        return first(sql, row -> true, parameters).isPresent();
    }

    private static <T> List<T> all(ResultSet rows, Row<T> reader) throws SQLException {
        List<T> all = new ArrayList<>();
        while (rows.next()) {
            try {
                all.add(reader.read(rows));
            } catch (StoreException e) {
                throw e;
            } catch (RuntimeException e) {
                throw new DamagedException("a row is none of its kind", e);
            }
        }
        return all;
    }

    private static void bind(PreparedStatement statement, int before, @Nullable Object[] parameters)
            throws SQLException {
        for (int i = 0; i < parameters.length; i++) {
            Object parameter = parameters[i];
            if (parameter == null) {
                statement.setNull(before + i + 1, Types.VARCHAR);
            } else if (parameter == NULL_BIGINT) {
                statement.setNull(before + i + 1, Types.BIGINT);
            } else {
                statement.setObject(before + i + 1, parameter);
            }
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

    /** The constant of that name, if there is one. */
    static <E extends Enum<E>> Optional<E> constant(String name, Class<E> type) {
        for (E constant : type.getEnumConstants()) {
            if (constant.name().equals(name)) {
                return Optional.of(constant);
            }
        }
        return Optional.empty();
    }
}
