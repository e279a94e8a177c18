package io.holdpoint.store.jdbc;

import io.holdpoint.store.Store.Fed;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** The audit events of an agent as a feed. */
final class FeedRows {

    /** The age of events of which a new reader is not told, even if a transaction holds the feed back. */
    private static final Duration LONG_AGO = Duration.ofMinutes(1);

    private static final int PAGE = 100;

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

    /** Reads on behind what cannot be read: a page that is not full is taken for the last one. */
    List<Fed> read(long after, int limit, boolean isComplete) throws SQLException {
        long last = isComplete ? horizon.upTo(sql) : Long.MAX_VALUE;
        List<Fed> read = new ArrayList<>();
        long from = after;
        for (int most = limit; most > 0; ) {
            List<Row> rows = rows(from, last, most);
            for (Row row : rows) {
                row.fed().ifPresent(read::add);
                from = row.position();
            }
            boolean isMore = rows.size() == most && read.size() < limit;
            most = isMore ? Math.max(limit - read.size(), PAGE) : 0;
        }
        return read.subList(0, Math.min(limit, read.size()));
    }

    /** An event, unless that cannot be read. */
    private record Row(long position, Optional<Fed> fed) {

        static Row read(ResultSet row) throws SQLException {
            long position = row.getLong(9);
            return new Row(
                    position,
                    AuditRows.event(StoredText.read(row.getString(10)), row).map(event -> new Fed(position, event)));
        }
    }

    private List<Row> rows(long after, long last, int limit) throws SQLException {
        return sql.list(
                "SELECT " + AuditRows.COLUMNS + ", a.id, COALESCE(t.id_text, a.thread_id) FROM holdpoint_audit a"
                        + sql.dialect.indexedBy(AuditRows.OF_AGENT)
                        + " LEFT JOIN holdpoint_thread t ON t.agent = a.agent AND t.thread_id = a.thread_id"
                        + " WHERE a.agent = ? AND a.id > ? AND a.id <= ? ORDER BY a.agent, a.id LIMIT ?",
                Row::read,
                sql.agent,
                after,
                last,
                limit);
    }

    /** Where nothing is known yet because a transaction is active, events that happened long ago are taken to be complete. */
    long end() throws SQLException {
        long complete = horizon.upTo(sql);
        return complete > 0
                ? complete
                : sql.first(
                                "SELECT COALESCE(MAX(id), 0) FROM holdpoint_audit WHERE at < (" + sql.dialect.present()
                                        + ") - ?",
                                row -> row.getLong(1),
                                TimeUnit.MILLISECONDS.toMicros(LONG_AGO.toMillis()))
                        .orElse(0L);
    }
}
