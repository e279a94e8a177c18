package io.holdpoint.store.jdbc;

import io.holdpoint.store.Lease;
import io.holdpoint.store.LeaseLostException;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.Optional;

/**
 * The table of leases. Its row is the lock of a thread: who commits locks it first, so that commits of a thread come one
 * after the other, and a lease is taken over before a commit or after it, never within.
 */
final class Leases {

    private Leases() {}

    static Optional<Lease> acquire(
            Connection connection,
            Dialect dialect,
            String threadId,
            String runId,
            String caller,
            Instant now,
            Instant until)
            throws SQLException {
        String key = StoredText.key(threadId);
        String run = StoredText.write(runId);
        String who = StoredText.write(caller);
        OffsetDateTime end = Times.ceil(until);
        long epoch = dialect.nextEpoch(connection);
        boolean takenOver = Sql.update(
                        connection,
                        "UPDATE holdpoint_lease SET epoch = ?, run_id = ?, caller = ?, ends_at = ?"
                                + " WHERE thread_id = ? AND ends_at <= ?",
                        epoch,
                        run,
                        who,
                        end,
                        key,
                        Times.floor(now))
                == 1;
        boolean acquired = takenOver
                || dialect.insertIfAbsent(
                        connection,
                        "INSERT INTO holdpoint_lease (thread_id, epoch, run_id, caller, ends_at) VALUES (?, ?, ?, ?, ?)",
                        key,
                        epoch,
                        run,
                        who,
                        end);
        return acquired ? Optional.of(new Lease(threadId, runId, caller, epoch)) : Optional.empty();
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

    /** Whether it was still the thread's lease. */
    static boolean release(Connection connection, Lease lease) throws SQLException {
        return Sql.update(
                        connection,
                        "DELETE FROM holdpoint_lease WHERE thread_id = ? AND epoch = ?",
                        StoredText.key(lease.threadId()),
                        lease.epoch())
                == 1;
    }

    /**
     * Locks the row until the transaction ends.
     *
     * @throws LeaseLostException if it is not the lease's any more
     */
    static void lock(Connection connection, Lease lease) throws SQLException {
        Optional<Long> present = Sql.first(
                connection,
                "SELECT epoch FROM holdpoint_lease WHERE thread_id = ? FOR UPDATE",
                row -> row.getLong(1),
                StoredText.key(lease.threadId()));
        if (present.filter(epoch -> epoch == lease.epoch()).isEmpty()) {
            throw new LeaseLostException(lease + " was lost; the thread's lease is "
                    + present.map(epoch -> "of epoch " + epoch).orElse("free"));
        }
    }
}
