package io.holdpoint.store.jdbc;

import io.holdpoint.store.LeaseLostException;
import io.holdpoint.store.Store.Lease;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Arrays;
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
                Sql.micros(now));
    }

    /** Holds for a thread that is not known, or that the caller owns. */
    private static final String OWN =
            " AND NOT EXISTS (SELECT 1 FROM holdpoint_thread t WHERE t.thread_id = ? AND t.owner <> ?)";

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
        return acquire(connection, dialect, new Lease(threadId, runId, caller, 0), now, until, "", new Object[] {});
    }

    /** Like {@link #acquire}, but leaves the threads of other owners alone. */
    static Optional<Lease> acquireOwn(
            Connection connection, SqlDialect dialect, Lease wanted, Instant now, Instant until) throws SQLException {
        Object[] owner = {StoredText.key(wanted.threadId()), StoredText.write(wanted.caller())};
        return acquire(connection, dialect, wanted, now, until, OWN, owner);
    }

    private static Optional<Lease> acquire(
            Connection connection,
            SqlDialect dialect,
            Lease wanted,
            Instant now,
            Instant until,
            String condition,
            Object[] parameters)
            throws SQLException {
        Optional<Lease> lease = insert(connection, dialect, wanted, until, condition, parameters);
        return lease.isEmpty() && removeEnded(connection, dialect, wanted, now, condition, parameters)
                ? insert(connection, dialect, wanted, until, condition, parameters)
                : lease;
    }

    /** Empty if the thread has a lease, ended or not. */
    private static Optional<Lease> insert(
            Connection connection,
            SqlDialect dialect,
            Lease wanted,
            Instant until,
            String condition,
            Object[] parameters)
            throws SQLException {
        return Sql.first(
                connection,
                "INSERT INTO holdpoint_lease (thread_id, run_id, caller, ends_at) SELECT ?, ?, ?, ? WHERE "
                        + dialect.limits() + condition + " ON CONFLICT DO NOTHING RETURNING epoch",
                row -> new Lease(wanted.threadId(), wanted.runId(), wanted.caller(), row.getLong(1)),
                all(
                        parameters,
                        StoredText.key(wanted.threadId()),
                        StoredText.write(wanted.runId()),
                        StoredText.write(wanted.caller()),
                        Sql.microsUp(until)));
    }

    /** Removes a lease that has ended, unless a commit has it locked. */
    private static boolean removeEnded(
            Connection connection, SqlDialect dialect, Lease wanted, Instant now, String condition, Object[] parameters)
            throws SQLException {
        String key = StoredText.key(wanted.threadId());
        return Sql.update(
                        connection,
                        "DELETE FROM holdpoint_lease WHERE thread_id = ? AND epoch = (SELECT epoch FROM holdpoint_lease"
                                + " WHERE thread_id = ? AND ends_at <= ?" + dialect.lockFreeRow() + ")" + condition,
                        all(parameters, key, key, Sql.micros(now)))
                == 1;
    }

    private static Object[] all(Object[] last, Object... first) {
        Object[] all = Arrays.copyOf(first, first.length + last.length);
        System.arraycopy(last, 0, all, first.length, last.length);
        return all;
    }

    static boolean renew(Connection connection, SqlDialect dialect, Lease lease, Instant until) throws SQLException {
        return Sql.update(
                        connection,
                        "UPDATE holdpoint_lease SET ends_at = ? WHERE thread_id = ? AND epoch = ? AND "
                                + dialect.limits(),
                        Sql.microsUp(until),
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
                        Sql.micros(now))
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
        require(present, lease);
    }

    /** Throws unless a statement has found the lease. */
    static void require(boolean present, Lease lease) {
        if (!present) {
            throw new LeaseLostException(lease + " was lost: it was given back, or another run has taken over");
        }
    }
}
