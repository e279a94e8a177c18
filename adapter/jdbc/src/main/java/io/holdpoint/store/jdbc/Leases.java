package io.holdpoint.store.jdbc;

import io.holdpoint.agui.Message;
import io.holdpoint.store.LeaseLostException;
import io.holdpoint.store.RecordJson;
import io.holdpoint.store.Store;
import io.holdpoint.store.Store.Active;
import io.holdpoint.store.Store.Halt;
import io.holdpoint.store.Store.Lease;
import io.holdpoint.store.Store.Renewal;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Arrays;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The table of leases. Its row is the lock of a thread: who commits locks it first, so that commits of a thread come one
 * after the other, and a lease is taken over before a commit or after it, never within.
 */
final class Leases {

    /** Holds for a thread whose agent, which the parameter names, is halted. */
    static final String HALTED =
            "EXISTS (SELECT 1 FROM holdpoint_halt s WHERE s.agent IN (?, '" + Store.ALL_AGENTS + "'))";

    /** The threads whose lease a run may take. */
    enum Whose {
        /** Those of all owners; none is read. */
        ANYBODYS,
        /** Those that are not known, or that the caller owns, of an agent that is not halted. The thread is read with the lease. */
        OWN;

        private String condition() {
            return this == ANYBODYS
                    ? ""
                    : " AND NOT EXISTS (SELECT 1 FROM holdpoint_thread t WHERE t.agent = ? AND t.thread_id = ?"
                            + " AND t.owner <> ?) AND NOT "
                            + HALTED;
        }

        private Object[] parameters(Sql sql, Lease wanted) {
            return this == ANYBODYS
                    ? new Object[0]
                    : new Object[] {
                        sql.agent,
                        StoredText.key(wanted.threadId()),
                        StoredText.write(wanted.caller()),
                        Store.halting(sql.agent)
                    };
        }
    }

    /** A lease that was asked for, and the thread as it is then, unless it is not read. They are there when the transaction has ended. */
    record Taken(Lease wanted, Sql.Answer<Long> epoch, Optional<Sql.Answer<Threads.ThreadAndMemory>> read) {

        /** Empty if the thread has a lease, or is none that the run may have. */
        Optional<Lease> lease() {
            return epoch.first()
                    .map(number ->
                            new Lease(wanted.threadId(), wanted.runId(), wanted.caller(), number, wanted.cancels()));
        }

        Optional<Threads.ThreadAndMemory> thread() {
            return read.flatMap(Sql.Answer::first);
        }

        /** Says whether another lease stands in the way, ended or not. */
        boolean isOccupied() {
            return lease().isEmpty()
                    && thread().filter(found -> found.halted() || !found.isOwn(wanted.caller()))
                            .isEmpty();
        }
    }

    private final Sql sql;

    Leases(Sql sql) {
        this.sql = sql;
    }

    Optional<Active> active(String threadId, Instant now) throws SQLException {
        return sql.first(
                "SELECT run_id, caller, epoch, said FROM holdpoint_lease WHERE agent = ? AND thread_id = ?"
                        + " AND ends_at > ?",
                row -> new Active(
                        new Lease(
                                threadId,
                                StoredText.read(row.getString(1)),
                                StoredText.read(row.getString(2)),
                                row.getLong(3)),
                        said(threadId, row.getString(4))),
                sql.agent,
                StoredText.key(threadId),
                Sql.micros(now));
    }

    private static Optional<Message.Assistant> said(String threadId, @Nullable String json) {
        return Optional.ofNullable(json)
                .flatMap(said -> Sql.record("what a run says", threadId, said, Message.class))
                .filter(Message.Assistant.class::isInstance)
                .map(Message.Assistant.class::cast);
    }

    /** Asks for the lease of a thread that has none, ended or not. */
    Taken take(Whose whose, Lease wanted, Instant until) throws SQLException {
        return take(whose, wanted, 0, until);
    }

    /**
     * Asks for a lease in the place of one that has ended; empty if that is not there. Does not wait for a commit: whoever commits is
     * active, and may have stopped in the middle of it.
     */
    Optional<Taken> takeOver(Whose whose, Lease wanted, Instant now, Instant until) throws SQLException {
        String key = StoredText.key(wanted.threadId());
        Optional<Lease> ended = sql.first(
                "DELETE FROM holdpoint_lease WHERE agent = ? AND thread_id = ? AND epoch = (SELECT epoch FROM holdpoint_lease"
                        + " WHERE agent = ? AND thread_id = ? AND ends_at <= ?" + sql.dialect.lockFreeRow() + ") AND "
                        + sql.dialect.limitsOfLease() + whose.condition() + " RETURNING epoch, cancel_requested",
                row -> new Lease(wanted.threadId(), wanted.runId(), wanted.caller(), row.getLong(1), row.getBoolean(2)),
                all(whose.parameters(sql, wanted), sql.agent, key, sql.agent, key, Sql.micros(now)));
        return ended.isEmpty()
                ? Optional.empty()
                : Optional.of(take(whose, ended.get(), ended.get().epoch(), until));
    }

    private Taken take(Whose whose, Lease wanted, long former, Instant until) throws SQLException {
        Sql.Answer<Long> epoch = sql.read(
                "take a thread's lease",
                "INSERT INTO holdpoint_lease (agent, thread_id, run_id, caller, ends_at, cancel_requested, epoch)"
                        + " SELECT ?, ?, ?, ?, ?, " + wanted.cancels() + ", "
                        + sql.dialect.epochAfter(former) + " WHERE "
                        + sql.dialect.limitsOfLease() + whose.condition() + " ON CONFLICT DO NOTHING RETURNING epoch",
                row -> row.getLong(1),
                all(
                        whose.parameters(sql, wanted),
                        sql.agent,
                        StoredText.key(wanted.threadId()),
                        StoredText.write(wanted.runId()),
                        StoredText.write(wanted.caller()),
                        Sql.microsUp(until)));
        return new Taken(
                wanted,
                epoch,
                whose == Whose.OWN ? Optional.of(new Threads(sql).begin(wanted.threadId())) : Optional.empty());
    }

    private static Object[] all(Object[] last, Object... first) {
        Object[] all = Arrays.copyOf(first, first.length + last.length);
        System.arraycopy(last, 0, all, first.length, last.length);
        return all;
    }

    Renewal renew(Lease lease, Instant until) throws SQLException {
        return sql.first(
                        "UPDATE holdpoint_lease SET ends_at = ? WHERE agent = ? AND thread_id = ? AND epoch = ? AND "
                                + sql.dialect.limitsOfLease() + " RETURNING cancel_requested, " + HALTED,
                        row -> row.getBoolean(1)
                                ? Renewal.CANCEL_REQUESTED
                                : row.getBoolean(2) ? Renewal.HALTED : Renewal.RENEWED,
                        Sql.microsUp(until),
                        sql.agent,
                        StoredText.key(lease.threadId()),
                        lease.epoch(),
                        Store.halting(sql.agent))
                .orElse(Renewal.LOST);
    }

    /** Says whether the agent was not halted. On PostgreSQL a trigger waits for the commits that are under way. */
    boolean halt(Halt halt) throws SQLException {
        return sql.update(
                        "INSERT INTO holdpoint_halt (agent, since, caller, reason) SELECT ?, ?, ?, ? WHERE "
                                + sql.dialect.limits() + " ON CONFLICT DO NOTHING",
                        Store.halting(sql.agent),
                        Sql.micros(halt.since()),
                        StoredText.write(halt.caller()),
                        StoredText.write(halt.reason()))
                == 1;
    }

    /** Says whether the agent was halted. */
    boolean endHalt() throws SQLException {
        return sql.update(
                        "DELETE FROM holdpoint_halt WHERE agent = ? AND " + sql.dialect.limits(),
                        Store.halting(sql.agent))
                == 1;
    }

    Optional<Halt> halted() throws SQLException {
        return sql.first(
                "SELECT agent, since, caller, reason FROM holdpoint_halt WHERE agent IN (?, '" + Store.ALL_AGENTS
                        + "') ORDER BY agent = '" + Store.ALL_AGENTS + "'", // its own first
                row -> new Halt(
                        row.getString(1),
                        Sql.instant(row.getLong(2)),
                        StoredText.read(row.getString(3)),
                        StoredText.read(row.getString(4))),
                Store.halting(sql.agent));
    }

    /** Says whether it was still the thread's lease. */
    boolean release(Lease lease) throws SQLException {
        return sql.update(
                        "DELETE FROM holdpoint_lease WHERE agent = ? AND thread_id = ? AND epoch = ? AND "
                                + sql.dialect.limits(),
                        sql.agent,
                        StoredText.key(lease.threadId()),
                        lease.epoch())
                == 1;
    }

    /** Removes the lease whose row the transaction has locked. */
    void releaseLocked(Lease lease) throws SQLException {
        sql.write(
                "DELETE FROM holdpoint_lease WHERE agent = ? AND thread_id = ? AND epoch = ?",
                sql.agent,
                StoredText.key(lease.threadId()),
                lease.epoch());
    }

    /** Says whether there is a lease that has not ended. */
    boolean requestCancel(String threadId, Instant now) throws SQLException {
        return sql.update(
                        "UPDATE holdpoint_lease SET cancel_requested = TRUE WHERE agent = ? AND thread_id = ? AND ends_at > ? AND "
                                + sql.dialect.limits(),
                        sql.agent,
                        StoredText.key(threadId),
                        Sql.micros(now))
                == 1;
    }

    void say(Lease lease, Message.Assistant text) throws SQLException {
        sql.update(
                "UPDATE holdpoint_lease SET said = ? WHERE agent = ? AND thread_id = ? AND epoch = ? AND "
                        + sql.dialect.limitsOfLease(),
                RecordJson.write(text),
                sql.agent,
                StoredText.key(lease.threadId()),
                lease.epoch());
    }

    /**
     * Locks the row until the transaction ends.
     *
     * @throws LeaseLostException if it is no longer the lease's
     */
    void lock(Lease lease) throws SQLException {
        boolean present = sql.exists(
                "SELECT 1 FROM holdpoint_lease WHERE agent = ? AND thread_id = ? AND epoch = ? AND "
                        + sql.dialect.limits() + sql.dialect.lockRow(),
                sql.agent,
                StoredText.key(lease.threadId()),
                lease.epoch());
        if (!present) {
            throw lost(lease);
        }
    }

    static LeaseLostException lost(Lease lease) {
        return new LeaseLostException(lease + " was lost: it was given back, or another run has taken over");
    }
}
