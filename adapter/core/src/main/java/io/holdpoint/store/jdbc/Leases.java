package io.holdpoint.store.jdbc;

import io.holdpoint.store.LeaseLostException;
import io.holdpoint.store.Store.Lease;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Optional;

/**
 * The table of leases. Its row is the lock of a thread: who commits locks it first, so that commits of a thread come one
 * after the other, and a lease is taken over before a commit or after it, never within.
 */
final class Leases {

    private Leases() {}

    static Optional<Lease> active(Connection connection, String threadId, Instant now) throws SQLException {
        return Sql.first(
                connection,
                "SELECT run_id, caller, epoch FROM holdpoint_lease WHERE thread_id = ? AND ends_at > ?",
                row -> new Lease(
                        threadId, StoredText.read(row.getString(1)), StoredText.read(row.getString(2)), row.getLong(3)),
                StoredText.key(threadId),
                Times.floor(now));
    }

    /** Does not wait for a commit: whoever commits is active, and may have stopped in the middle of it. */
    static Optional<Lease> acquire(
            Connection connection,
            SqlDialect dialect,
            String threadId,
            String runId,
            String caller,
            Instant now,
            Instant until)
            throws SQLException {
        String key = StoredText.key(threadId);
        Optional<Long> epoch = insert(connection, dialect, key, runId, caller, until);
        if (epoch.isEmpty() && removeEnded(connection, dialect, key, now)) {
            epoch = insert(connection, dialect, key, runId, caller, until);
        }
        return epoch.map(given -> new Lease(threadId, runId, caller, given));
    }

    /** Gives the epoch; empty if the thread has a lease, ended or not. */
    private static Optional<Long> insert(
            Connection connection, SqlDialect dialect, String key, String runId, String caller, Instant until)
            throws SQLException {
        return Sql.first(
                connection,
                "INSERT INTO holdpoint_lease (thread_id, run_id, caller, ends_at) SELECT ?, ?, ?, ? WHERE "
                        + dialect.limits() + " ON CONFLICT DO NOTHING RETURNING epoch",
                row -> row.getLong(1),
                key,
                StoredText.write(runId),
                StoredText.write(caller),
                Times.ceil(until));
    }

    /** Removes a lease that has ended, unless a commit has it locked. */
    private static boolean removeEnded(Connection connection, SqlDialect dialect, String key, Instant now)
            throws SQLException {
        return Sql.update(
                        connection,
                        "DELETE FROM holdpoint_lease WHERE thread_id = ? AND epoch = (SELECT epoch FROM holdpoint_lease"
                                + " WHERE thread_id = ? AND ends_at <= ?" + dialect.lockFreeRow() + ")",
                        key,
                        key,
                        Times.floor(now))
                == 1;
    }

    static boolean renew(Connection connection, SqlDialect dialect, Lease lease, Instant until) throws SQLException {
        return Sql.update(
                        connection,
                        "UPDATE holdpoint_lease SET ends_at = ? WHERE thread_id = ? AND epoch = ? AND "
                                + dialect.limits(),
                        Times.ceil(until),
                        StoredText.key(lease.threadId()),
                        lease.epoch())
                == 1;
    }

    /** Says whether it was still the thread's lease. */
    static boolean release(Connection connection, SqlDialect dialect, Lease lease) throws SQLException {
        return Sql.update(
                        connection,
                        "DELETE FROM holdpoint_lease WHERE thread_id = ? AND epoch = ? AND " + dialect.limits(),
                        StoredText.key(lease.threadId()),
                        lease.epoch())
                == 1;
    }

    /** Says whether there is a lease that has not ended. */
    static boolean requestCancel(Connection connection, SqlDialect dialect, String threadId, Instant now)
            throws SQLException {
        return Sql.update(
                        connection,
                        "UPDATE holdpoint_lease SET cancel_requested = TRUE WHERE thread_id = ? AND ends_at > ? AND "
                                + dialect.limits(),
                        StoredText.key(threadId),
                        Times.floor(now))
                == 1;
    }

    static boolean isCancelRequested(Connection connection, Lease lease) throws SQLException {
        return Sql.exists(
                connection,
                "SELECT 1 FROM holdpoint_lease WHERE thread_id = ? AND epoch = ? AND cancel_requested",
                StoredText.key(lease.threadId()),
                lease.epoch());
    }

    /**
     * Locks the row until the transaction ends.
     *
     * @throws LeaseLostException if it is not the lease's any more
     */
    static void lock(Connection connection, SqlDialect dialect, Lease lease) throws SQLException {
        boolean present = Sql.exists(
                connection,
                "SELECT 1 FROM holdpoint_lease WHERE thread_id = ? AND epoch = ? AND " + dialect.limits()
                        + dialect.lockRow(),
                StoredText.key(lease.threadId()),
                lease.epoch());
        if (!present) {
            throw new LeaseLostException(lease + " was lost: it was given back, or another run has taken over");
        }
    }
}
