package io.holdpoint.store.jdbc;

import io.holdpoint.store.StoreException;
import java.sql.Connection;
import java.sql.SQLException;
import javax.sql.DataSource;

/**
 * Transactions. A connection is given back as it came, whatever happens. What the database itself has rolled back because
 * of others (a deadlock, a lock that took too long, a serialization failure) is tried again from the start; after any
 * other failure, a lost connection for instance, nobody knows whether the transaction was committed, so it is not. A lock is
 * not waited for without end: its owner may have stopped.
 */
final class Database {

    private static final int MAX_ATTEMPTS = 5;

    /** Each of them takes as long as a lock is waited for. */
    private static final int MAX_WAITS = 2;

    private final DataSource dataSource;
    private final Action begin;

    /** One whose kind is not known yet. */
    Database(DataSource dataSource) {
        this(dataSource, connection -> {});
    }

    private Database(DataSource dataSource, Action begin) {
        this.dataSource = dataSource;
        this.begin = begin;
    }

    /** The same database, now that its kind is known. */
    Database of(SqlDialect dialect) {
        return new Database(dataSource, dialect::beginTransaction);
    }

    /** What is done in a transaction; may be done several times. */
    @FunctionalInterface
    interface Work<T> {
        T run(Connection connection) throws SQLException;
    }

    /** Like {@link Work}, without a result. */
    @FunctionalInterface
    interface Action {
        void run(Connection connection) throws SQLException;
    }

    /** One statement, which is its own transaction and waits for nobody: one that reads. */
    <T> T statement(String operation, Work<T> work) {
        return attempt(
                operation, connection -> connection.getAutoCommit() ? work.run(connection) : all(connection, work));
    }

    /** All of the work or nothing. */
    <T> T transaction(String operation, Work<T> work) {
        return attempt(operation, connection -> {
            if (!connection.getAutoCommit()) {
                return all(connection, work);
            }
            connection.setAutoCommit(false);
            T result;
            try {
                result = all(connection, work);
            } catch (SQLException | RuntimeException | Error e) {
                undo(e, () -> connection.setAutoCommit(true));
                throw e;
            }
            connection.setAutoCommit(true);
            return result;
        });
    }

    /** All of the work or nothing. */
    void write(String operation, Action action) {
        transaction(operation, connection -> {
            action.run(connection);
            return true;
        });
    }

    private static int maxAttempts(SQLException e) {
        if (!SqlStates.isRolledBackForOthers(e)) {
            return 1;
        }
        return SqlStates.isLockTimeout(e) ? MAX_WAITS : MAX_ATTEMPTS;
    }

    private <T> T attempt(String operation, Work<T> work) {
        for (int attempt = 1; ; attempt++) {
            try (Connection connection = dataSource.getConnection()) {
                return work.run(connection);
            } catch (SQLException e) {
                if (attempt >= maxAttempts(e)) {
                    throw new StoreException("cannot " + operation + ": " + e.getMessage(), e);
                }
            }
        }
    }

    private <T> T all(Connection connection, Work<T> work) throws SQLException {
        try {
            begin.run(connection);
            T result = work.run(connection);
            connection.commit();
            return result;
        } catch (SQLException | RuntimeException | Error e) {
            undo(e, connection::rollback);
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
