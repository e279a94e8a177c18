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
        Optional<Boolean> ended = Sql.first(
                connection,
                "SELECT ends_at <= ? FROM holdpoint_lease WHERE thread_id = ?",
                row -> row.getBoolean(1),
                Times.floor(now),
                key);
        if (ended.isPresent() && !(ended.get() && lockEnded(connection, dialect, key, now))) {
            return Optional.empty();
        }
        long epoch = dialect.nextEpoch(connection);
        String run = StoredText.write(runId);
        String who = StoredText.write(caller);
        long end = Times.ceil(until);
        boolean acquired = ended.isPresent()
                ? Sql.update(
                                connection,
                                "UPDATE holdpoint_lease SET epoch = ?, run_id = ?, caller = ?, ends_at = ?,"
                                        + " cancel_requested = FALSE WHERE thread_id = ?",
                                epoch,
                                run,
                                who,
                                end,
                                key)
                        == 1
                : Sql.update(
                                connection,
                                "INSERT INTO holdpoint_lease (thread_id, epoch, run_id, caller, ends_at)"
                                        + " VALUES (?, ?, ?, ?, ?) ON CONFLICT DO NOTHING",
                                key,
                                epoch,
                                run,
                                who,
                                end)
                        == 1;
        return acquired ? Optional.of(new Lease(threadId, runId, caller, epoch)) : Optional.empty();
    }

    /** Checks whether the ended lease is still there and free of locks. */
    private static boolean lockEnded(Connection connection, SqlDialect dialect, String key, Instant now)
            throws SQLException {
        return Sql.exists(
                connection,
                "SELECT epoch FROM holdpoint_lease WHERE thread_id = ? AND ends_at <= ?" + dialect.lockFreeRow(),
                key,
                Times.floor(now));
    }

    static boolean renew(Connection connection, Lease lease, Instant until) throws SQLException {
        return Sql.update(
                        connection,
                        "UPDATE holdpoint_lease SET ends_at = ? WHERE thread_id = ? AND epoch = ?",
                        Times.ceil(until),
                        StoredText.key(lease.threadId()),
                        lease.epoch())
                == 1;
    }

    /** Says whether it was still the thread's lease. */
    static boolean release(Connection connection, Lease lease) throws SQLException {
        return Sql.update(
                        connection,
                        "DELETE FROM holdpoint_lease WHERE thread_id = ? AND epoch = ?",
                        StoredText.key(lease.threadId()),
                        lease.epoch())
                == 1;
    }

    /** Says whether there is a lease that has not ended. */
    static boolean requestCancel(Connection connection, String threadId, Instant now) throws SQLException {
        return Sql.update(
                        connection,
                        "UPDATE holdpoint_lease SET cancel_requested = TRUE WHERE thread_id = ? AND ends_at > ?",
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
        Optional<Long> present = Sql.first(
                connection,
                "SELECT epoch FROM holdpoint_lease WHERE thread_id = ?" + dialect.lockRow(),
                row -> row.getLong(1),
                StoredText.key(lease.threadId()));
        if (present.filter(epoch -> epoch == lease.epoch()).isEmpty()) {
            throw new LeaseLostException(lease + " was lost; the thread's lease is "
                    + present.map(epoch -> "of epoch " + epoch).orElse("free"));
        }
    }
}
