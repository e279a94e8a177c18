package io.holdpoint.store.jdbc;

import io.holdpoint.agui.Message;
import io.holdpoint.store.Batch;
import io.holdpoint.store.Call;
import io.holdpoint.store.Change;
import io.holdpoint.store.Commit;
import io.holdpoint.store.HaltedException;
import io.holdpoint.store.LeaseLostException;
import io.holdpoint.store.Store;
import io.holdpoint.store.Store.By;
import io.holdpoint.store.Store.IdOf;
import io.holdpoint.store.Store.Lease;
import io.holdpoint.store.StoreConflictException;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The table of batches, and those of their interrupts and tool calls. Written to by whoever has locked the thread's lease;
 * only finished batches are removed without it.
 */
final class Batches {

    private record Key(String agent, String threadId, String batchId) {}

    private final Sql sql;

    Batches(Sql sql) {
        this.sql = sql;
    }

    Optional<Batch> find(String threadId, By by, String id) throws SQLException {
        boolean isOwn = by == By.BATCH;
        return sql.first(
                        "SELECT " + StoredBatch.COLUMNS + " FROM holdpoint_batch h"
                                + (isOwn
                                        ? ""
                                        : " JOIN holdpoint_fact i ON i.agent = h.agent AND i.thread_id = h.thread_id"
                                                + " AND i.kind = 'INTERRUPT' AND i.value = h.batch_id")
                                + " WHERE h.agent = ? AND h.thread_id = ? AND "
                                + (isOwn ? "h.batch_id = ?" : "i.name = ?"),
                        row -> StoredBatch.read(threadId, row, 1),
                        sql.agent,
                        StoredText.key(threadId),
                        StoredText.key(id))
                .flatMap(batch -> batch);
    }

    /** Removes what is unfinished, unread, and the calls of a batch that is gone. */
    void discard(String threadKey) throws SQLException {
        sql.update(
                "DELETE FROM holdpoint_call WHERE agent = ? AND thread_id = ? AND batch_id NOT IN"
                        + " (SELECT batch_id FROM holdpoint_batch WHERE agent = ? AND thread_id = ? AND finished = TRUE)",
                sql.agent,
                threadKey,
                sql.agent,
                threadKey);
        sql.update(
                "DELETE FROM holdpoint_batch WHERE agent = ? AND thread_id = ? AND finished = FALSE",
                sql.agent,
                threadKey);
    }

    /**
     * Writes transitions, those that follow one another of one batch at once. The first of them locks the lease unless it is
     * {@code locked}.
     *
     * @throws LeaseLostException if it is no longer the thread's lease
     * @throws StoreConflictException if a batch is not at the version before
     * @throws HaltedException if a call is claimed and the agent is halted
     */
    void write(Lease lease, Commit commit, Instant now, boolean locked) throws SQLException {
        List<Batch> transitions = commit.batches();
        for (int first = 0, next; first < transitions.size(); first = next) {
            Batch batch = transitions.get(first);
            Key key = new Key(sql.agent, StoredText.key(lease.threadId()), StoredText.key(batch.id()));
            next = first + 1;
            while (batch.version() > 0 && next < transitions.size() && follows(batch, transitions.get(next))) {
                batch = transitions.get(next++);
            }
            List<Change> changes = transitions.subList(first, next).stream()
                    .flatMap(transition -> transition.changes().stream())
                    .toList();
            if (batch.version() == 0) {
                insert(key, batch, commit.messages(), now);
            } else {
                boolean claims = changes.stream().anyMatch(Change.Claimed.class::isInstance);
                replace(lease, key, batch, transitions.get(first).version(), now, locked || first > 0, claims);
                replaceCalls(key, batch, changes);
            }
            insertIssued(key, batch, changes);
        }
    }

    private static boolean follows(Batch batch, Batch next) {
        return next.id().equals(batch.id()) && next.version() == batch.version() + 1;
    }

    private void insert(Key key, Batch batch, List<Message> appended, Instant now) throws SQLException {
        StoredBatch.Written written = StoredBatch.write(batch, appended);
        sql.writeOne(
                () -> conflict(batch),
                "INSERT INTO holdpoint_batch (agent, thread_id, batch_id, version, state, finished, changed_at, given_up,"
                        + " body, message_id, asked_at, due_at, owner) SELECT ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, owner FROM holdpoint_thread"
                        + " WHERE agent = ? AND thread_id = ? ON CONFLICT DO NOTHING",
                key.agent(),
                key.threadId(),
                key.batchId(),
                batch.version(),
                batch.state().name(),
                batch.state() == Batch.State.FINISHED,
                Sql.micros(now),
                batch.givenUp(),
                written.body(),
                written.messageId().map(StoredText::key).orElse(null),
                column(askedAt(batch)),
                column(dueAt(batch)),
                key.agent(),
                key.threadId());
        List<@Nullable Object[]> rows = new ArrayList<>();
        for (int i = 0; i < batch.calls().size(); i++) {
            String body = StoredBatch.write(batch.calls().get(i));
            rows.add(new Object[] {key.agent(), key.threadId(), key.batchId(), i, body});
        }
        sql.insert("INSERT INTO holdpoint_call (agent, thread_id, batch_id, position, body)", rows, "");
    }

    /** Locks the lease in the same statement unless it is locked; if that changes nothing, the lease itself says why. */
    private void replace(Lease lease, Key key, Batch batch, long from, Instant now, boolean locked, boolean claims)
            throws SQLException {
        boolean goes = batch.state() == Batch.State.FINISHED && !isWanted(batch);
        List<@Nullable Object> values = new ArrayList<>();
        String statement = "DELETE FROM holdpoint_batch";
        if (!goes) {
            statement = "UPDATE holdpoint_batch SET version = ?, state = ?, finished = ?, changed_at = ?, given_up = ?,"
                    + " asked_at = ?, due_at = ?";
            values.add(batch.version());
            values.add(batch.state().name());
            values.add(batch.state() == Batch.State.FINISHED);
            values.add(Sql.micros(now));
            values.add(batch.givenUp());
            values.add(column(askedAt(batch)));
            values.add(column(dueAt(batch)));
        }
        statement += " WHERE agent = ? AND thread_id = ? AND batch_id = ? AND version = ?";
        values.add(key.agent());
        values.add(key.threadId());
        values.add(key.batchId());
        values.add(from - 1);
        if (!locked) {
            statement +=
                    " AND EXISTS (SELECT 1 FROM holdpoint_lease l WHERE l.agent = ? AND l.thread_id = ? AND l.epoch = ? AND "
                            + sql.dialect.limits() + sql.dialect.lockRow() + ")";
            values.add(key.agent());
            values.add(key.threadId());
            values.add(lease.epoch());
        }
        String agent = Store.halting(sql.agent);
        if (claims) {
            statement += " AND NOT " + Leases.HALTED;
            values.add(agent);
        }
        sql.writeOne(
                () -> {
                    new Leases(sql).lock(lease);
                    return claims && sql.exists("SELECT 1 WHERE " + Leases.HALTED, agent)
                            ? new HaltedException(agent)
                            : conflict(batch);
                },
                statement,
                values.toArray());
        if (goes) {
            sql.write(
                    "DELETE FROM holdpoint_call WHERE agent = ? AND thread_id = ? AND batch_id = ?",
                    key.agent(),
                    key.threadId(),
                    key.batchId());
        }
    }

    private void replaceCalls(Key key, Batch batch, List<Change> changes) throws SQLException {
        Set<String> changed = new HashSet<>();
        changes.forEach(change -> changed.add(change.call().toolCallId()));
        List<@Nullable Object[]> rows = new ArrayList<>();
        for (int i = 0; i < batch.calls().size(); i++) {
            Call call = batch.calls().get(i);
            if (changed.contains(call.toolCallId())) {
                rows.add(new Object[] {StoredBatch.write(call), key.agent(), key.threadId(), key.batchId(), i});
            }
        }
        sql.writeAll(
                "UPDATE holdpoint_call SET body = ? WHERE agent = ? AND thread_id = ? AND batch_id = ? AND position = ?",
                rows);
    }

    /** Checks whether the result of a batch may be asked for: by an answer that comes again, or by who has proposed its call. */
    private static boolean isWanted(Batch batch) {
        if (batch.isProposal()) {
            return true;
        }
        for (Call call : batch.calls()) {
            if (!call.asked().isEmpty()) {
                return true;
            }
        }
        return false;
    }

    private static StoreConflictException conflict(Batch batch) {
        return new StoreConflictException(
                "batch " + batch.id() + " is no longer at the version before " + batch.version());
    }

    /** The ids of the calls of a new batch, and of the interrupts that were issued since. */
    private void insertIssued(Key key, Batch batch, List<Change> changes) throws SQLException {
        List<@Nullable Object[]> rows = new ArrayList<>();
        for (Call call : batch.version() == 0 ? batch.calls() : List.<Call>of()) {
            rows.add(issued(key, IdOf.TOOL_CALL, call.toolCallId()));
        }
        for (Change change : changes) {
            if (change instanceof Change.Asked asked) {
                rows.add(
                        issued(key, IdOf.INTERRUPT, asked.question().interrupt().id()));
            }
        }
        sql.insert("INSERT INTO holdpoint_fact (agent, thread_id, kind, name, value)", rows, " ON CONFLICT DO NOTHING");
    }

    private static @Nullable Object[] issued(Key key, IdOf kind, String id) {
        return new @Nullable Object[] {key.agent(), key.threadId(), kind.name(), StoredText.key(id), key.batchId()};
    }

    /** The value of the column by which open batches are found; {@code null} without open questions. */
    static @Nullable Long askedAt(Batch batch) {
        return batch.askedAt().map(Sql::micros).orElse(null);
    }

    /** The value of the column by which batches are found that time has something to do with; {@code null} without such. */
    static @Nullable Long dueAt(Batch batch) {
        return batch.dueAt().map(Sql::microsUp).orElse(null);
    }

    private static Object column(@Nullable Long time) {
        return time == null ? Sql.NULL_BIGINT : time;
    }
}
