package io.holdpoint.store.jdbc;

import io.holdpoint.store.Store.Cursor;
import io.holdpoint.store.Store.Fed;
import io.holdpoint.store.Store.Retry;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The audit events of an agent as a feed, and the tables of its readers. */
final class FeedRows {

    /** The age of events of which a new reader is not told, even if a transaction holds the feed back. */
    private static final Duration LONG_AGO = Duration.ofMinutes(1);

    /**
     * Knows up to which number no event is added any more. PostgreSQL gives numbers before commits, and in another order than it gives
     * numbers to transactions. When an event is seen, those with lower numbers are of transactions that have begun, so they are all
     * there when every transaction has ended that has a lower number than one which begins now. Thread-safe.
     */
    static final class Horizon {

        private static final String LAST = "(SELECT COALESCE(MAX(id), 0) FROM holdpoint_audit)";
        private static final String OLDEST_ACTIVE = "pg_snapshot_xmin(pg_current_snapshot())::text::bigint";

        private long complete;
        private long seen;
        /** The transaction that began when the last event was the one that was seen. */
        private long mark;

        private record Look(long last, long transaction) {}

        synchronized long upTo(Sql sql) throws SQLException {
            if (sql.dialect.hasOneWriter()) {
                return sql.first("SELECT " + LAST, row -> row.getLong(1)).orElseThrow();
            }
            if (look(sql, OLDEST_ACTIVE).last > complete && seen <= complete) {
                Look next = look(sql, "pg_current_xact_id()::text::bigint");
                seen = next.last;
                mark = next.transaction;
                look(sql, OLDEST_ACTIVE);
            }
            return complete;
        }

        private Look look(Sql sql, String transaction) throws SQLException {
            Look look = sql.first(
                            "SELECT " + LAST + ", " + transaction, row -> new Look(row.getLong(1), row.getLong(2)))
                    .orElseThrow();
            if (look.last < Math.max(complete, seen)) { // another server went on which has not got everything
                complete = 0;
                seen = 0;
                mark = 0;
            }
            if (look.transaction >= mark) {
                complete = Math.max(complete, seen);
            }
            return look;
        }
    }

    private final Sql sql;
    private final Horizon horizon;

    FeedRows(Sql sql, Horizon horizon) {
        this.sql = sql;
        this.horizon = horizon;
    }

    List<Fed> read(long after, int limit) throws SQLException {
        long last = horizon.upTo(sql);
        return sql.known(
                "SELECT " + AuditRows.COLUMNS + ", a.id, COALESCE(t.id_text, a.thread_id) FROM holdpoint_audit a"
                        + sql.dialect.byAgent()
                        + " LEFT JOIN holdpoint_thread t ON t.agent = a.agent AND t.thread_id = a.thread_id"
                        + " WHERE a.agent = ? AND a.id > ? AND a.id <= ? ORDER BY a.agent, a.id LIMIT ?",
                FeedRows::fed,
                sql.agent,
                after,
                last,
                limit);
    }

    private static Optional<Fed> fed(ResultSet row) throws SQLException {
        long position = row.getLong(9);
        return AuditRows.event(StoredText.read(row.getString(10)), row).map(event -> new Fed(position, event));
    }

    private record Place(long position, @Nullable String holder, long heldUntil) {}

    /** Of two nodes that read a place at once, one takes it: it is as it was read. */
    Optional<Cursor> cursor(String name, String holder, Instant now, Instant until) throws SQLException {
        Optional<Place> known = place(name);
        if (known.isEmpty()) {
            long complete = horizon.upTo(
                    sql); // before this transaction has a number of its own, behind which nothing would be complete
            long old = sql.first(
                            "SELECT COALESCE(MAX(id), 0) FROM holdpoint_audit WHERE agent = ? AND at < ?",
                            row -> row.getLong(1),
                            sql.agent,
                            Sql.micros(now.minus(LONG_AGO)))
                    .orElse(0L);
            sql.update(
                    "INSERT INTO holdpoint_cursor (agent, name, position, held_until) VALUES (?, ?, ?, ?)"
                            + " ON CONFLICT DO NOTHING",
                    sql.agent,
                    StoredText.key(name),
                    Math.max(complete, old),
                    Sql.micros(now));
            known = place(name);
        }
        Place place = known.orElseThrow();
        if (!holder.equals(place.holder) && place.heldUntil > Sql.micros(now)) {
            return Optional.empty();
        }
        Optional<Instant> oldest = sql.first( // also of an event that the feed does not give yet
                "SELECT at FROM holdpoint_audit" + sql.dialect.byAgent()
                        + " WHERE agent = ? AND id > ? ORDER BY agent, id LIMIT 1",
                row -> Sql.instant(row.getLong(1)),
                sql.agent,
                place.position);
        List<Retry> due = sql.list(
                "SELECT position, attempts, next_at, error FROM holdpoint_retry WHERE agent = ? AND name = ?"
                        + " AND next_at <= ? ORDER BY position LIMIT " + Cursor.MAX_RETRIES,
                FeedRows::retry,
                sql.agent,
                StoredText.key(name),
                Sql.micros(now));
        int failed = sql.first(
                        "SELECT COUNT(*) FROM holdpoint_retry WHERE agent = ? AND name = ? AND next_at IS NULL",
                        row -> row.getInt(1),
                        sql.agent,
                        StoredText.key(name))
                .orElse(0);
        boolean isIdle = oldest.isEmpty() && due.isEmpty();
        boolean isTaken = isIdle
                || sql.update(
                                "UPDATE holdpoint_cursor SET holder = ?, held_until = ? WHERE agent = ? AND name = ?"
                                        + " AND position = ? AND held_until = ?",
                                holder,
                                Sql.micros(until),
                                sql.agent,
                                StoredText.key(name),
                                place.position,
                                place.heldUntil)
                        == 1;
        return isTaken
                ? Optional.of(new Cursor(name, holder, until, place.position, oldest, due, failed))
                : Optional.empty();
    }

    private Optional<Place> place(String name) throws SQLException {
        return sql.first(
                "SELECT position, holder, held_until FROM holdpoint_cursor WHERE agent = ? AND name = ? AND "
                        + sql.dialect.limits(),
                row -> new Place(row.getLong(1), row.getString(2), row.getLong(3)),
                sql.agent,
                StoredText.key(name));
    }

    List<Retry> retries(String name, long after, int limit) throws SQLException {
        return sql.list(
                "SELECT position, attempts, next_at, error FROM holdpoint_retry WHERE agent = ? AND name = ?"
                        + " AND position > ? AND next_at IS NOT NULL ORDER BY position LIMIT ?",
                FeedRows::retry,
                sql.agent,
                StoredText.key(name),
                after,
                limit);
    }

    private static Retry retry(ResultSet row) throws SQLException {
        return new Retry(
                row.getLong(1),
                row.getInt(2),
                Optional.of(Sql.instant(row.getLong(3))),
                StoredText.read(row.getString(4)));
    }

    boolean advance(Cursor read, Cursor next) throws SQLException {
        String name = StoredText.key(read.name());
        boolean isHeld = sql.update(
                        "UPDATE holdpoint_cursor SET held_until = ?,"
                                + " position = CASE WHEN position < ? THEN ? ELSE position END"
                                + " WHERE agent = ? AND name = ? AND holder = ? AND " + sql.dialect.limits(),
                        Sql.micros(next.until()),
                        next.position(),
                        next.position(),
                        sql.agent,
                        name,
                        read.holder())
                == 1;
        if (isHeld) {
            for (Retry done : read.retries()) {
                if (!next.retries().contains(done)) {
                    sql.write(
                            "DELETE FROM holdpoint_retry WHERE agent = ? AND name = ? AND position = ?",
                            sql.agent,
                            name,
                            done.position());
                }
            }
            for (Retry again : next.retries()) {
                if (!read.retries().contains(again)) {
                    put(name, again);
                }
            }
        }
        return isHeld;
    }

    private void put(String name, Retry retry) throws SQLException {
        sql.write(
                "INSERT INTO holdpoint_retry (agent, name, position, attempts, next_at, error) VALUES (?, ?, ?, ?, ?, ?)"
                        + " ON CONFLICT (agent, name, position) DO UPDATE SET attempts = EXCLUDED.attempts,"
                        + " next_at = EXCLUDED.next_at, error = EXCLUDED.error",
                sql.agent,
                name,
                retry.position(),
                retry.attempts(),
                retry.nextAt().<Object>map(Sql::micros).orElse(Sql.NULL_BIGINT),
                StoredText.write(retry.error()));
    }
}
