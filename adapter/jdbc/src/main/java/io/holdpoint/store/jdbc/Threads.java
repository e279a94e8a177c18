package io.holdpoint.store.jdbc;

import com.fasterxml.jackson.databind.JsonNode;
import io.holdpoint.store.Batch;
import io.holdpoint.store.Commit;
import io.holdpoint.store.Fact;
import io.holdpoint.store.LeaseLostException;
import io.holdpoint.store.RecordJson;
import io.holdpoint.store.Store;
import io.holdpoint.store.Store.Counted;
import io.holdpoint.store.Store.IdOf;
import io.holdpoint.store.Store.Lease;
import io.holdpoint.store.Store.Part;
import io.holdpoint.store.Store.ThreadHead;
import io.holdpoint.store.Store.ThreadRecord;
import io.holdpoint.store.TurnRecord;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The table of threads. Written to by whoever has locked the thread's lease. */
final class Threads {

    /** The number of columns that {@link #write} gives values for; the values of its assignments follow. */
    private static final int COLUMNS = 8;

    /** A commit that changes calls of the unfinished batch only leaves the thread's row as it is. */
    private static final String CHANGED =
            ", CASE WHEN h.changed_at > t.changed_at THEN h.changed_at ELSE t.changed_at END";

    private final Sql sql;

    Threads(Sql sql) {
        this.sql = sql;
    }

    /** Without its state, if the database cannot read that. */
    Optional<ThreadRecord> find(String threadId, boolean withState) throws SQLException {
        return sql.first(
                "SELECT t.owner, " + (withState ? "t.state" : "NULL") + ", t.turn, " + StoredBatch.COLUMNS
                        + CHANGED + ", t.purged FROM holdpoint_thread t LEFT JOIN holdpoint_batch h"
                        + " ON h.agent = t.agent AND h.thread_id = t.thread_id AND h.batch_id = t.batch_id"
                        + " WHERE t.agent = ? AND t.thread_id = ?",
                row -> thread(threadId, row),
                sql.agent,
                StoredText.key(threadId));
    }

    /** A thread, and the chat memory that has the same id unless it is to be read separately. */
    record ThreadAndMemory(
            Optional<ThreadRecord> thread, String memoryKey, Optional<StoredMemory> memory, boolean halted) {

        /** Says whether the thread is the caller's, or not known. */
        boolean isOwn(String caller) {
            return thread.filter(known -> !known.owner().equals(caller)).isEmpty();
        }
    }

    /** Reads what a run needs first. */
    Sql.Answer<ThreadAndMemory> begin(String threadId) throws SQLException {
        String memoryKey = StoredText.key(Store.memoryOf(StoredText.read(sql.agent), threadId));
        return sql.read(
                "read a thread",
                "SELECT t.owner, t.state, t.turn, " + StoredBatch.COLUMNS
                        + CHANGED + ", t.purged, " + StoredMemory.COLUMNS + ", " + Leases.HALTED
                        + " FROM (SELECT CAST(? AS VARCHAR(255)) AS agent, CAST(? AS VARCHAR(255)) AS id) k"
                        + " LEFT JOIN holdpoint_thread t ON t.agent = k.agent AND t.thread_id = k.id"
                        + " LEFT JOIN holdpoint_batch h ON h.agent = t.agent AND h.thread_id = t.thread_id"
                        + " AND h.batch_id = t.batch_id LEFT JOIN holdpoint_chat_message m ON m.memory_id = ?"
                        + " AND m.position = 0",
                row -> new ThreadAndMemory(
                        row.getString(1) == null ? Optional.empty() : Optional.of(thread(threadId, row)),
                        memoryKey,
                        StoredMemory.read(row, 12),
                        row.getBoolean(15)),
                Store.halting(sql.agent),
                sql.agent,
                StoredText.key(threadId),
                memoryKey);
    }

    Optional<String> readState(String threadId) throws SQLException {
        return sql.first(
                "SELECT COALESCE(t.state, '') FROM holdpoint_thread t WHERE t.agent = ? AND t.thread_id = ?",
                row -> row.getString(1),
                sql.agent,
                StoredText.key(threadId));
    }

    /** Reads no record. */
    Optional<ThreadHead> head(String threadId) throws SQLException {
        return sql.first(
                "SELECT owner, batch_id, turn IS NOT NULL FROM holdpoint_thread WHERE agent = ? AND thread_id = ?",
                row -> new ThreadHead(
                        threadId,
                        StoredText.read(row.getString(1)),
                        Optional.ofNullable(row.getString(2)),
                        row.getBoolean(3)),
                sql.agent,
                StoredText.key(threadId));
    }

    boolean has(IdOf what, String threadId, String id) throws SQLException {
        String thread = StoredText.key(threadId);
        String key = StoredText.key(id);
        return switch (what) {
            case RUN ->
                sql.exists(
                        "SELECT 1 FROM holdpoint_message WHERE agent = ? AND thread_id = ? AND (run_id = ? OR cut_by = ?) LIMIT 1",
                        sql.agent,
                        thread,
                        key,
                        key);
            case TOOL_CALL ->
                sql.exists(
                        "SELECT 1 FROM holdpoint_fact WHERE agent = ? AND thread_id = ? AND kind = 'TOOL_CALL' AND name = ?",
                        sql.agent,
                        thread,
                        key);
            case INTERRUPT ->
                sql.exists(
                        "SELECT 1 FROM holdpoint_fact WHERE agent = ? AND thread_id = ? AND kind = 'INTERRUPT' AND name = ?"
                                + " UNION ALL SELECT 1 FROM holdpoint_thread WHERE agent = ? AND thread_id = ? AND purged = TRUE",
                        sql.agent,
                        thread,
                        key,
                        sql.agent,
                        thread);
        };
    }

    int count(Counted what, String threadId, int limit) throws SQLException {
        String table =
                switch (what) {
                    case MESSAGE -> "holdpoint_message WHERE";
                    case INTERRUPT -> "holdpoint_fact WHERE kind = 'INTERRUPT' AND";
                };
        return sql.first(
                        "SELECT COUNT(*) FROM (SELECT 1 FROM " + table + " agent = ? AND thread_id = ? LIMIT ?) c",
                        row -> row.getInt(1),
                        sql.agent,
                        StoredText.key(threadId),
                        limit)
                .orElse(0);
    }

    /** A batch that cannot be read is treated as given up: neither its calls nor its turn run again. */
    private static ThreadRecord thread(String threadId, ResultSet row) throws SQLException {
        boolean hasBatch = row.getString(4) != null;
        Optional<Batch> batch = hasBatch ? StoredBatch.read(threadId, row, 4) : Optional.empty();
        boolean isGivenUp = hasBatch && batch.isEmpty();
        return new ThreadRecord(
                threadId,
                StoredText.read(row.getString(1)),
                text(row, 2).flatMap(json -> Sql.record("the state", threadId, json, JsonNode.class)),
                isGivenUp
                        ? Optional.empty()
                        : text(row, 3).flatMap(json -> Sql.record("the turn", threadId, json, TurnRecord.class)),
                batch,
                changedAt(row),
                row.getBoolean(11));
    }

    private static Optional<Instant> changedAt(ResultSet row) throws SQLException {
        long changedAt = row.getLong(10);
        return row.wasNull() ? Optional.empty() : Optional.of(Sql.instant(changedAt));
    }

    private static Optional<String> text(ResultSet row, int column) throws SQLException {
        return Optional.ofNullable(row.getString(column));
    }

    /**
     * Writes what changes, and the thread itself with its first commit, and locks the lease until the transaction ends; {@code
     * false} if neither was done because only calls of the batch change. Of a reader's place there is no thread.
     *
     * @throws LeaseLostException if it is no longer the thread's lease
     */
    boolean write(Lease lease, Commit commit, Instant now) throws SQLException {
        if (lease.threadId().startsWith(Fact.READER)) {
            new Leases(sql).lock(lease);
            return true;
        }
        Change change = Change.of(commit, now);
        if (change.isOfCallsOnly(commit)) {
            return false;
        }
        List<@Nullable Object> values = new ArrayList<>(List.of(
                sql.agent,
                StoredText.key(lease.threadId()),
                StoredText.write(lease.threadId()),
                StoredText.write(lease.caller())));
        values.addAll(change.values);
        values.addAll(COLUMNS, List.of(sql.agent, StoredText.key(lease.threadId()), lease.epoch()));
        sql.writeOne(
                () -> Leases.lost(lease),
                "INSERT INTO holdpoint_thread AS t (agent, thread_id, id_text, owner, changed_at, state, turn, batch_id)"
                        + " SELECT ?, ?, ?, ?, ?, ?, ?, ? FROM holdpoint_lease WHERE agent = ? AND thread_id = ? AND epoch = ? AND "
                        + sql.dialect.limits() + sql.dialect.lockRow()
                        + " ON CONFLICT (agent, thread_id) DO UPDATE SET "
                        + String.join(", ", change.assignments),
                values.toArray());
        return true;
    }

    /** Leaves the row that knows the owner, and the audit trail. */
    void discard(String threadId, Part part) throws SQLException {
        String key = StoredText.key(threadId);
        if (part == Part.UNFINISHED) {
            new Batches(sql).discard(key);
            sql.update(
                    "UPDATE holdpoint_thread SET batch_id = NULL, turn = NULL WHERE agent = ? AND thread_id = ?",
                    sql.agent,
                    key);
            return;
        }
        for (String table : List.of("message", "batch", "call", "fact")) {
            sql.update("DELETE FROM holdpoint_" + table + " WHERE agent = ? AND thread_id = ?", sql.agent, key);
        }
        sql.update(
                "UPDATE holdpoint_thread SET state = NULL, turn = NULL, batch_id = NULL, changed_at = NULL, purged ="
                        + " TRUE WHERE agent = ? AND thread_id = ?",
                sql.agent,
                key);
    }

    /** The columns that a commit changes, and the values of the columns, with those of the assignments. */
    private record Change(List<String> assignments, List<@Nullable Object> values) {

        static Change of(Commit commit, Instant now) {
            Change change = new Change(new ArrayList<>(), new ArrayList<>());
            change.set("changed_at", true, Sql.micros(now));
            change.set(
                    "state",
                    commit.state().isPresent(),
                    commit.state().map(RecordJson::write).orElse(null));
            Commit.TurnChange turn = commit.turn();
            change.set(
                    "turn",
                    !(turn instanceof Commit.TurnChange.Keep),
                    turn instanceof Commit.TurnChange.Put put ? RecordJson.write(put.turn()) : null);
            change.unfinished(commit.batches());
            return change;
        }

        /**
         * Says whether the commit only changes calls of the batch that the thread is working on: the thread is there, and as long as
         * it has a batch it is not idle.
         */
        boolean isOfCallsOnly(Commit commit) {
            return assignments.size() == 1 && commit.batches().stream().anyMatch(batch -> batch.version() > 0);
        }

        private void set(String column, boolean changes, @Nullable Object value) {
            values.add(value);
            if (changes) {
                assignments.add(column + " = excluded." + column);
            }
        }

        /**
         * The thread's unfinished batch is the last one that was stored, until it is stored as finished. A transition in
         * between changes nothing of that.
         */
        private void unfinished(List<Batch> batches) {
            @Nullable String begun = null;
            List<@Nullable Object> finished = new ArrayList<>();
            for (Batch batch : batches) {
                String id = StoredText.key(batch.id());
                if (batch.state() == Batch.State.FINISHED) {
                    finished.add(id);
                    begun = id.equals(begun) ? null : begun;
                } else if (batch.version() == 0) {
                    begun = id;
                }
            }
            set("batch_id", begun != null, begun);
            if (begun == null && !finished.isEmpty()) {
                String column = "t.batch_id";
                for (int i = 0; i < finished.size(); i++) {
                    column = "NULLIF(" + column + ", ?)";
                }
                assignments.add("batch_id = " + column);
                values.addAll(finished);
            }
        }
    }
}
