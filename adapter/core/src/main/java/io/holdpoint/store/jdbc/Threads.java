package io.holdpoint.store.jdbc;

import com.fasterxml.jackson.databind.JsonNode;
import io.holdpoint.store.Batch;
import io.holdpoint.store.Commit;
import io.holdpoint.store.RecordJson;
import io.holdpoint.store.Store.Lease;
import io.holdpoint.store.Store.ThreadHead;
import io.holdpoint.store.Store.ThreadRecord;
import io.holdpoint.store.TurnRecord;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The table of threads. Written to by whoever has locked the thread's lease. */
final class Threads {

    private Threads() {}

    static Optional<ThreadRecord> find(Connection connection, String threadId) throws SQLException {
        return Sql.first(
                connection,
                "SELECT t.owner, t.state, t.turn, " + Batches.COLUMNS
                        + " FROM holdpoint_thread t LEFT JOIN holdpoint_batch h"
                        + " ON h.thread_id = t.thread_id AND h.batch_id = t.batch_id WHERE t.thread_id = ?",
                row -> thread(threadId, row),
                StoredText.key(threadId));
    }

    /** Reads no record. */
    static Optional<ThreadHead> head(Connection connection, String threadId) throws SQLException {
        return Sql.first(
                connection,
                "SELECT owner, batch_id, turn IS NOT NULL FROM holdpoint_thread WHERE thread_id = ?",
                row -> new ThreadHead(
                        threadId,
                        StoredText.read(row.getString(1)),
                        Optional.ofNullable(row.getString(2)),
                        row.getBoolean(3)),
                StoredText.key(threadId));
    }

    static void discard(Connection connection, String threadId) throws SQLException {
        Sql.update(
                connection,
                "UPDATE holdpoint_thread SET batch_id = NULL, turn = NULL WHERE thread_id = ?",
                StoredText.key(threadId));
    }

    /** Of a batch that cannot be read nothing may run, not even its turn again: it is as if it had been given up. */
    private static ThreadRecord thread(String threadId, ResultSet row) throws SQLException {
        boolean hasBatch = row.getString(4) != null;
        Optional<Batch> batch = hasBatch ? Batches.read(threadId, row, 4) : Optional.empty();
        boolean isGivenUp = hasBatch && batch.isEmpty();
        return new ThreadRecord(
                threadId,
                StoredText.read(row.getString(1)),
                text(row, 2).flatMap(json -> Records.read("the state", threadId, json, JsonNode.class)),
                isGivenUp
                        ? Optional.empty()
                        : text(row, 3).flatMap(json -> Records.read("the turn", threadId, json, TurnRecord.class)),
                batch);
    }

    private static Optional<String> text(ResultSet row, int column) throws SQLException {
        return Optional.ofNullable(row.getString(column));
    }

    /** Writes what changes, and the thread itself with its first commit. */
    static void write(Connection connection, Lease lease, Commit commit) throws SQLException {
        Change change = Change.of(commit);
        if (change.assignments.isEmpty() && isKnown(commit)) {
            return;
        }
        List<@Nullable Object> values = new ArrayList<>(List.of(
                StoredText.key(lease.threadId()), StoredText.write(lease.threadId()), StoredText.write(lease.caller())));
        values.addAll(change.values);
        String conflict = change.assignments.isEmpty()
                ? "NOTHING"
                : "UPDATE SET " + String.join(", ", change.assignments);
        Sql.update(
                connection,
                "INSERT INTO holdpoint_thread AS t (thread_id, id_text, owner, state, turn, batch_id)"
                        + " VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT (thread_id) DO " + conflict,
                values.toArray());
    }

    /** Whether the commit is to a batch that was stored before, and with it the thread. */
    private static boolean isKnown(Commit commit) {
        return commit.batches().stream().anyMatch(batch -> batch.version() > 0);
    }

    /** The columns that a commit changes, and the values of state, turn and unfinished batch, with those of the assignments. */
    private record Change(List<String> assignments, List<@Nullable Object> values) {

        static Change of(Commit commit) {
            Change change = new Change(new ArrayList<>(), new ArrayList<>());
            change.set("state", commit.state().isPresent(), commit.state().map(RecordJson::write).orElse(null));
            Commit.TurnChange turn = commit.turn();
            change.set(
                    "turn",
                    !(turn instanceof Commit.TurnChange.Keep),
                    turn instanceof Commit.TurnChange.Put put ? RecordJson.write(put.turn()) : null);
            change.unfinished(commit.batches());
            return change;
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
