package io.holdpoint.store.jdbc;

import io.holdpoint.store.DamagedException;
import io.holdpoint.store.StoreException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.WeakHashMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Transactions on a data source. Thread-safe.
 *
 * <p>SQLite has one writer at a time, and its own waiting is unfair: the writers of this process queue at a lock instead,
 * before they take a connection. A thread that a tool left interrupted works as any other, and is interrupted again
 * afterwards.
 */
final class Database {

    private static final int MAX_ATTEMPTS = 8;

    /** Each of them takes as long as a lock is waited for. */
    private static final int MAX_WAITS = 2;

    /** The time that a writer waits for the others of its process; a commit takes milliseconds. */
    private static final int WRITER_TIMEOUT_SECONDS = 30;

    /** By the URL of the database, because several stores and chat memories may share it. */
    private static final Map<String, ReentrantLock> WRITERS = new ConcurrentHashMap<>();

    private final DataSource dataSource;
    private final String agent;
    private final @Nullable SqlDialect dialect;
    private final @Nullable ReentrantLock writer;
    /** The statements that come first in each transaction; more of them when a failure tells that they are needed. */
    private volatile List<String> first;

    private final Set<Connection> durable;

    /** A database whose kind is not known yet. */
    Database(DataSource dataSource) {
        this(dataSource, "", null, null, List.of(), Collections.newSetFromMap(new WeakHashMap<>()));
    }

    private Database(
            DataSource dataSource,
            String agent,
            @Nullable SqlDialect dialect,
            @Nullable ReentrantLock writer,
            List<String> first,
            Set<Connection> durable) {
        this.dataSource = dataSource;
        this.agent = agent;
        this.dialect = dialect;
        this.writer = writer;
        this.first = first;
        this.durable = Collections.synchronizedSet(durable);
    }

    /** The same database, now that its kind is known, and which statements have to come first in a transaction. */
    Database of(SqlDialect kind, String url, List<String> first) {
        ReentrantLock lock = kind.hasOneWriter() ? WRITERS.computeIfAbsent(url, key -> new ReentrantLock(true)) : null;
        return new Database(dataSource, agent, kind, lock, first, durable);
    }

    /** The same database, for the rows of an agent. */
    Database of(String name) {
        return new Database(dataSource, StoredText.key(name), dialect, writer, first, durable);
    }

    DataSource dataSource() {
        return dataSource;
    }

    SqlDialect dialect() {
        return Objects.requireNonNull(dialect);
    }

    /** Work in a transaction; may be done several times. */
    @FunctionalInterface
    interface Work<T> {
        T run(Sql sql) throws SQLException;
    }

    /** Like {@link Work}, without a result. */
    @FunctionalInterface
    interface Action {
        void run(Sql sql) throws SQLException;
    }

    /** One statement that reads: it is its own transaction and waits for no writer. */
    <T> T statement(String operation, Work<T> work) {
        return attempt(operation, (connection, together) -> {
            Sql sql = new Sql(connection, dialect, agent, false);
            return connection.getAutoCommit() ? work.run(sql) : all(sql, work, true);
        });
    }

    /** All of the work or nothing. Its first statement writes, and has the dialect's {@link SqlDialect#limits}. */
    <T> T transaction(String operation, Work<T> work) {
        Attempt<T> attempt =
                (connection, together) -> inTransaction(new Sql(connection, dialect, agent, together), work);
        if (writer == null) {
            return attempt(operation, attempt);
        }
        lockWriter(writer, operation);
        try {
            return attempt(operation, attempt);
        } finally {
            writer.unlock();
        }
    }

    /** The same for work whose first statement does not have the limits. */
    <T> T limited(String operation, Work<T> work) {
        return transaction(operation, sql -> {
            sql.dialect.setLimits(sql);
            return work.run(sql);
        });
    }

    /** All of the work or nothing. */
    void write(String operation, Action action) {
        transaction(operation, sql -> {
            action.run(sql);
            return true;
        });
    }

    /** Work that only reads, of everything as it is at one moment; waits for no writer, and none waits for it. */
    <T> T snapshot(String operation, Work<T> work) {
        return attempt(operation, (connection, together) -> {
            Sql sql = new Sql(connection, dialect, agent, false);
            boolean autoCommit = connection.getAutoCommit();
            Step end = () -> {
                sql.dialect.endSnapshot(sql);
                connection.setAutoCommit(autoCommit);
            };
            T result;
            try {
                connection.setAutoCommit(sql.dialect == SqlDialect.SQLITE); // a statement begins its transaction
                sql.dialect.beginSnapshot(sql);
                result = work.run(sql);
            } catch (SQLException | RuntimeException | Error e) {
                undo(e, end);
                throw e;
            }
            end.run();
            return result;
        });
    }

    private static void lockWriter(ReentrantLock writer, String operation) {
        boolean interrupted = Thread.interrupted();
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(WRITER_TIMEOUT_SECONDS);
        try {
            while (true) {
                try {
                    if (writer.tryLock(end - System.nanoTime(), TimeUnit.NANOSECONDS)) {
                        return;
                    }
                    throw new StoreException("cannot " + operation + ": other writers of this process have kept the"
                            + " SQLite file busy for " + WRITER_TIMEOUT_SECONDS + " seconds");
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private <T> T inTransaction(Sql sql, Work<T> work) throws SQLException {
        if (dialect == SqlDialect.SQLITE) {
            return explicitly(sql, work);
        }
        Connection connection = sql.connection;
        if (!connection.getAutoCommit()) {
            return all(sql, work, true);
        }
        T result;
        try {
            connection.setAutoCommit(false);
            boolean managed = connection.getAutoCommit(); // by what has ignored the line before
            result = all(sql, work, managed);
        } catch (SQLException | RuntimeException | Error e) {
            undo(e, () -> connection.setAutoCommit(true));
            throw e;
        }
        connection.setAutoCommit(true);
        return result;
    }

    /**
     * SQLite's driver begins the next transaction right after a commit, and notes that auto-commit is off before it has begun
     * one: a busy file would then fail what is committed, or leave a connection that commits every statement. So the driver
     * stays in auto-commit mode, and the transaction is begun and ended by statements. It takes the write lock at once: one that
     * reads first and writes later is refused when another process has written in between.
     */
    private static <T> T explicitly(Sql sql, Work<T> work) throws SQLException {
        sql.update("BEGIN IMMEDIATE");
        try {
            T result = work.run(sql);
            sql.update("COMMIT");
            return result;
        } catch (SQLException | RuntimeException | Error e) {
            undo(e, () -> sql.update("ROLLBACK"));
            throw e;
        }
    }

    private static int maxAttempts(SQLException e) {
        if (SqlStates.isReadOnly(e)) {
            return MAX_ATTEMPTS;
        }
        if (!SqlStates.isRolledBackForOthers(e)) {
            return 1;
        }
        return SqlStates.isLockTimeout(e) ? MAX_WAITS : MAX_ATTEMPTS;
    }

    /** Work on a connection, whose statements may be sent together the first time. */
    @FunctionalInterface
    private interface Attempt<T> {
        T run(Connection connection, boolean together) throws SQLException;
    }

    private <T> T attempt(String operation, Attempt<T> work) {
        boolean interrupted = Thread.interrupted();
        try {
            for (int attempt = 1; ; attempt++) {
                try (Connection connection = dataSource.getConnection()) {
                    requireDurable(connection);
                    return run(work, connection, attempt == 1 && dialect == SqlDialect.POSTGRESQL);
                } catch (Sql.RetryOneByOne e) {
                    // again, statement by statement
                } catch (SQLException e) {
                    if (attempt >= maxAttempts(e)) {
                        throw failure(operation, e);
                    }
                    pause(attempt);
                } catch (LinkageError e) { // SQLite's driver finds out late
                    throw SqliteLibrary.unusable(e);
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private <T> T run(Attempt<T> work, Connection connection, boolean together) throws SQLException {
        try {
            return work.run(connection, together);
        } catch (SQLException e) {
            if (SqlStates.isSerializationFailure(e) && !first.contains(SqlDialect.READ_COMMITTED)) {
                // connections have become stricter since the first one was asked
                first = Stream.concat(Stream.of(SqlDialect.READ_COMMITTED), first.stream())
                        .toList();
            }
            if (SqlStates.isReadOnly(e)) {
                connection.abort(Runnable::run); // a pool would keep it, and nothing can have been written
            }
            throw e;
        }
    }

    /** Transactions that met would meet again if all went on at once. The connection is given back meanwhile. */
    private static void pause(int attempt) {
        LockSupport.parkNanos(ThreadLocalRandom.current().nextLong(TimeUnit.MILLISECONDS.toNanos(1L << attempt)));
    }

    /** Looks at each connection once: some settings are its own. */
    private void requireDurable(Connection connection) throws SQLException {
        if (dialect == SqlDialect.SQLITE) {
            Connection physical = connection.unwrap(Connection.class);
            if (!durable.contains(physical)) {
                dialect.requireDurable(new Sql(connection, dialect, agent, false));
                durable.add(physical);
            }
        }
    }

    static StoreException failure(String operation, SQLException e) {
        String message = "cannot " + operation + ": "
                + (SqlStates.isFull(e)
                        ? "the disk is full. Nothing of it was written; it works again when there is room. "
                        : "")
                + e.getMessage();
        return SqlStates.isCorrupt(e) ? new DamagedException(message, e) : new StoreException(message, e);
    }

    private <T> T all(Sql sql, Work<T> work, boolean managed) throws SQLException {
        try {
            for (String statement : first) {
                sql.write(statement);
            }
            T result = work.run(sql);
            sql.commit(managed);
            return result;
        } catch (SQLException | RuntimeException | Error e) {
            undo(e, sql.connection::rollback);
            throw e;
        }
    }

    @FunctionalInterface
    private interface Step {
        void run() throws SQLException;
    }

    private static void undo(Throwable cause, Step step) {
        try {
            step.run();
        } catch (SQLException e) {
            cause.addSuppressed(e);
        }
    }
}
