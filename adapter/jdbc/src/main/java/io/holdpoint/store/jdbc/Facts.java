package io.holdpoint.store.jdbc;

import io.holdpoint.store.Batch;
import io.holdpoint.store.Change;
import io.holdpoint.store.Fact;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The table of facts. Put by whoever has locked the lease of the thread that is written to; removed without it as well. */
final class Facts {

    private static final String COLUMNS = "SELECT name, ends_at, value FROM holdpoint_fact";
    private static final String OF_KEY = " WHERE agent = ? AND thread_id = ? AND kind = ? AND name = ?";

    private final Sql sql;

    Facts(Sql sql) {
        this.sql = sql;
    }

    List<Fact> list(String kind, String place) throws SQLException {
        Object[] key = key(new Fact.Key(kind, place, ""));
        return sql.list(
                COLUMNS + " WHERE agent = ? AND thread_id = ? AND kind = ? ORDER BY name",
                row -> fact(kind, place, row),
                key[0],
                key[1],
                key[2]);
    }

    private static Fact fact(String kind, String place, ResultSet row) throws SQLException {
        long endsAt = row.getLong(2);
        Optional<Instant> end = row.wasNull() ? Optional.empty() : Optional.of(Sql.instant(endsAt));
        return new Fact(new Fact.Key(kind, place, StoredText.read(row.getString(1))), end, row.getString(3));
    }

    private @Nullable Object[] key(Fact.Key key) {
        return new @Nullable Object[] {
            key.agent(sql.agent), StoredText.key(key.place()), key.kind(), StoredText.key(key.name())
        };
    }

    /** Each kind of changes in its order: what a commit removes it does not put. */
    void change(String threadId, List<Fact.Change> changes) throws SQLException {
        List<@Nullable Object[]> put = new ArrayList<>();
        List<@Nullable Object[]> added = new ArrayList<>();
        List<@Nullable Object[]> removed = new ArrayList<>();
        for (Fact.Change change : changes) {
            Fact fact = change.on(threadId).fact();
            switch (change.how()) {
                case PUT -> put.add(row(fact));
                case ADD -> added.add(row(fact));
                case REMOVE -> removed.add(key(fact.key()));
            }
        }
        put(put, "excluded.value");
        put(added, "CAST(CAST(f.value AS BIGINT) + CAST(excluded.value AS BIGINT) AS TEXT)");
        sql.writeAll("DELETE FROM holdpoint_fact" + OF_KEY, removed);
    }

    private @Nullable Object[] row(Fact fact) {
        @Nullable Object[] key = key(fact.key());
        Object endsAt = fact.endsAt().<Object>map(Sql::microsUp).orElse(Sql.NULL_BIGINT);
        return new @Nullable Object[] {key[0], key[1], key[2], key[3], endsAt, fact.value()};
    }

    private void put(List<@Nullable Object[]> rows, String value) throws SQLException {
        sql.writeAll(
                "INSERT INTO holdpoint_fact AS f (agent, thread_id, kind, name, ends_at, value) VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT"
                        + " (agent, thread_id, kind, name) DO UPDATE SET ends_at = excluded.ends_at, value = "
                        + value,
                rows);
    }

    /**
     * Locks the facts by which calls start, so that whoever removes one comes before the start or after it, and so that one transaction
     * at a time uses of it.
     */
    void use(String threadId, List<Batch> batches, Instant now) throws SQLException {
        for (Batch batch : batches) {
            for (Change change : batch.changes()) {
                if (change instanceof Change.Claimed claimed
                        && claimed.startsBy(threadId).isPresent()) {
                    use(claimed, claimed.startsBy(threadId).get(), now);
                }
            }
        }
    }

    private void use(Change.Claimed claimed, Fact.Key key, Instant now) throws SQLException {
        Optional<Fact> used = claimed.use(
                sql.first(
                        COLUMNS + OF_KEY + sql.dialect.lockRow(), row -> fact(key.kind(), key.place(), row), key(key)),
                now);
        if (used.isPresent()) {
            put(List.<@Nullable Object[]>of(row(used.get())), "excluded.value");
        }
    }

    /** Says whether it was there. */
    boolean revoke(Fact.Key fact) throws SQLException {
        return sql.update("DELETE FROM holdpoint_fact" + OF_KEY, key(fact)) == 1;
    }

    /** Compares the time again when a row is removed: the fact may have been put again since. */
    int removeEnded(Instant before, int limit) throws SQLException {
        List<@Nullable Object[]> ended = sql.list(
                "SELECT thread_id, kind, name FROM holdpoint_fact WHERE agent = ? AND ends_at < ? ORDER BY agent, ends_at LIMIT ?",
                row -> new Object[] {sql.agent, row.getString(1), row.getString(2), row.getString(3), Sql.micros(before)
                },
                sql.agent,
                Sql.micros(before),
                limit);
        sql.writeAll("DELETE FROM holdpoint_fact" + OF_KEY + " AND ends_at < ?", ended);
        return ended.size();
    }
}
