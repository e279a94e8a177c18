package io.holdpoint.store.jdbc;

import com.fasterxml.jackson.databind.JsonNode;
import io.holdpoint.agui.Message;
import io.holdpoint.store.AuditEvent;
import io.holdpoint.store.Batch;
import io.holdpoint.store.Call;
import io.holdpoint.store.Call.Question;
import io.holdpoint.store.Grant;
import io.holdpoint.store.RecordJson;
import io.holdpoint.store.Store;
import io.holdpoint.store.TurnRecord;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Checks the tables against each other and reads every record, page by page, in one snapshot. A table that the database
 * cannot read is a finding too, and does not hide the others.
 */
final class Consistency {

    private static final int PAGE = 500;

    /** An event of a call or an interrupt whose id stands in the index as it is, see {@link StoredText#key}. */
    private static final String TELLS_OF =
            "SELECT a.thread_id, %2$s FROM holdpoint_audit a WHERE a.kind = '%1$s' AND LENGTH(%2$s) <= "
                    + StoredText.MAX_KEY + " AND NOT EXISTS (SELECT 1 FROM %3$s i WHERE i.thread_id = a.thread_id"
                    + " AND i.%2$s = a.%2$s) AND NOT EXISTS (SELECT 1 FROM holdpoint_thread p"
                    + " WHERE p.thread_id = a.thread_id AND p.purged = TRUE)";

    private final Sql sql;
    private final List<String> findings = new ArrayList<>();

    Consistency(Sql sql) {
        this.sql = sql;
    }

    /** One sentence for each thing that is wrong. */
    List<String> check() throws SQLException {
        section("the database", () -> sql.dialect.checkFile(sql, this::found));
        section("holdpoint_schema", this::version);
        section("the references", this::references);
        section("the counters", this::counters);
        section("holdpoint_thread", this::threads);
        section("holdpoint_batch", this::batches);
        section("holdpoint_grant", this::grants);
        section("holdpoint_message", this::messages);
        section("holdpoint_audit", this::audit);
        section("holdpoint_chat_memory", this::memories);
        return List.copyOf(findings);
    }

    @FunctionalInterface
    private interface Section {
        void check() throws SQLException;
    }

    /** A reader of one page's row. */
    @FunctionalInterface
    private interface RowCheck {
        void check(ResultSet row) throws SQLException;
    }

    private void section(String what, Section section) throws SQLException {
        if (isFull()) {
            return;
        }
        try {
            section.check();
        } catch (SQLException e) {
            found("The database cannot read " + what + ": " + e.getMessage());
            sql.dialect.endSnapshot(sql);
            sql.dialect.beginSnapshot(sql);
        }
    }

    private boolean isFull() {
        return findings.size() >= Store.MAX_FINDINGS;
    }

    private void found(String sentence) {
        if (!isFull()) {
            findings.add(sentence);
        }
    }

    private void version() throws SQLException {
        List<Integer> versions = sql.list("SELECT version FROM holdpoint_schema", row -> row.getInt(1));
        if (!versions.equals(List.of(Schema.STEPS.size()))) {
            found("The tables are of version " + versions + ", this library works with version " + Schema.STEPS.size()
                    + ".");
        }
    }

    private void references() throws SQLException {
        none(
                "Thread %s works on batch %s, which is finished or not there.",
                "SELECT t.thread_id, t.batch_id FROM holdpoint_thread t WHERE t.batch_id IS NOT NULL AND NOT EXISTS"
                        + " (SELECT 1 FROM holdpoint_batch h WHERE h.thread_id = t.thread_id"
                        + " AND h.batch_id = t.batch_id AND h.finished = FALSE)");
        none(
                "Thread %s does not work on its unfinished batch %s.",
                "SELECT h.thread_id, h.batch_id FROM holdpoint_batch h WHERE h.finished = FALSE AND NOT EXISTS"
                        + " (SELECT 1 FROM holdpoint_thread t WHERE t.thread_id = h.thread_id"
                        + " AND t.batch_id = h.batch_id)");
        none(
                "Thread %s has the open batch %s, but none of its interrupts.",
                "SELECT h.thread_id, h.batch_id FROM holdpoint_batch h WHERE h.asked_at IS NOT NULL AND NOT EXISTS"
                        + " (SELECT 1 FROM holdpoint_interrupt i WHERE i.thread_id = h.thread_id"
                        + " AND i.batch_id = h.batch_id)");
        ofNoThread("batch", "holdpoint_batch", "batch_id");
        none(
                "The calls of thread %s belong to batch %s, which is not there.",
                "SELECT DISTINCT c.thread_id, c.batch_id FROM holdpoint_call c WHERE NOT EXISTS"
                        + " (SELECT 1 FROM holdpoint_batch h WHERE h.thread_id = c.thread_id"
                        + " AND h.batch_id = c.batch_id)");
        ofNoThread("interrupt", "holdpoint_interrupt", "interrupt_id");
        ofNoThread("tool call", "holdpoint_tool_call", "tool_call_id");
        ofNoThread("message", "holdpoint_message", "message_id");
        ofNoThread("grant", "holdpoint_grant", "grant_id");
        none(
                "There is no chat memory %s for its message %s.",
                "SELECT c.memory_id, c.position FROM holdpoint_chat_message c WHERE NOT EXISTS"
                        + " (SELECT 1 FROM holdpoint_chat_memory m WHERE m.memory_id = c.memory_id)");
        none(
                "The audit trail of thread %s says that the interrupt %s was issued, which the thread never did.",
                TELLS_OF.formatted("HELD", "interrupt_id", "holdpoint_interrupt"));
        none(
                "The audit trail of thread %s says that the call %s was proposed, which the thread does not have.",
                TELLS_OF.formatted("PROPOSED", "tool_call_id", "holdpoint_tool_call"));
    }

    private void ofNoThread(String what, String table, String id) throws SQLException {
        none(
                "There is no thread %s for its " + what + " %s.",
                "SELECT x.thread_id, x." + id + " FROM " + table + " x WHERE NOT EXISTS"
                        + " (SELECT 1 FROM holdpoint_thread t WHERE t.thread_id = x.thread_id)");
    }

    /** A SELECT of the thread's id and another one, of what there must not be. */
    private void none(String sentence, String select) throws SQLException {
        sql.list(select + " LIMIT " + Store.MAX_FINDINGS, row -> sentence.formatted(row.getString(1), row.getString(2)))
                .forEach(this::found);
    }

    private void counters() throws SQLException {
        counter("holdpoint_message", "position", sql.dialect.lastValue("holdpoint_message", "position"));
        counter("holdpoint_audit", "id", sql.dialect.lastValue("holdpoint_audit", "id"));
        counter("holdpoint_lease", "epoch", sql.dialect.lastValue("holdpoint_lease", "epoch"));
    }

    private void counter(String table, String column, String last) throws SQLException {
        long given = sql.first(last, row -> row.getLong(1)).orElse(0L);
        long used = sql.first("SELECT COALESCE(MAX(" + column + "), 0) FROM " + table, row -> row.getLong(1))
                .orElse(0L);
        if (used > given) {
            found("The counter of " + table + "." + column + " stands at " + given + ", behind its row " + used + ".");
        }
    }

    private void threads() throws SQLException {
        pages(
                "SELECT thread_id, state, turn FROM holdpoint_thread WHERE thread_id > ? ORDER BY thread_id",
                new Object[] {""},
                row -> {
                    String thread = row.getString(1);
                    readable("The state of thread " + thread, row.getString(2), JsonNode.class);
                    readable("The turn of thread " + thread, row.getString(3), TurnRecord.class);
                });
    }

    private void batches() throws SQLException {
        pages(
                "SELECT h.thread_id, h.batch_id, h.finished, h.asked_at, t.id_text, " + Batches.COLUMNS
                        + " FROM holdpoint_batch h LEFT JOIN holdpoint_thread t ON t.thread_id = h.thread_id"
                        + " WHERE (h.thread_id, h.batch_id) > (?, ?) ORDER BY h.thread_id, h.batch_id",
                new Object[] {"", ""},
                row -> {
                    String name = "Batch " + row.getString(2) + " of thread " + row.getString(1);
                    String thread = row.getString(5) == null ? row.getString(1) : StoredText.read(row.getString(5));
                    Optional<Batch> batch = Batches.read(thread, row, 6);
                    if (batch.isPresent()) {
                        fits(name, row, batch.get());
                        indexed(name, row.getString(1), row.getString(2), batch.get());
                    } else {
                        found(name + " cannot be read.");
                    }
                });
    }

    /** A commit writes a batch and its calls: neither is ahead of the other. */
    private void fits(String name, ResultSet row, Batch batch) throws SQLException {
        boolean asks =
                batch.calls().stream().anyMatch(call -> call.openQuestion().isPresent());
        boolean fits = (batch.state() == Batch.State.FINISHED) == row.getBoolean(3)
                && Objects.equals(Batches.askedAt(batch), number(row, 4))
                && StoredText.key(batch.id()).equals(row.getString(2))
                && asks == (batch.state() == Batch.State.OPEN)
                && batch.calls().stream().allMatch(call -> call.changedIn() <= batch.version());
        if (!fits) {
            found(name + " is not what its calls say: it is " + batch.state() + " at version " + batch.version() + ".");
        }
    }

    private static @Nullable Long number(ResultSet row, int column) throws SQLException {
        long value = row.getLong(column);
        return row.wasNull() ? null : value;
    }

    private void indexed(String name, String thread, String batchId, Batch batch) throws SQLException {
        for (Call call : batch.calls()) {
            for (String contradiction : ShownArguments.contradictions(call)) {
                found(name + ": the call " + StoredText.write(call.toolCallId()) + " " + contradiction + ".");
            }
            if (!new Batches(sql).hasToolCall(batch.threadId(), call.toolCallId())) {
                found(name + " has the tool call " + StoredText.write(call.toolCallId()) + ", which is not indexed.");
            }
            for (Question question : call.questions()) {
                String id = StoredText.key(question.interrupt().id());
                if (!sql.exists(
                        "SELECT 1 FROM holdpoint_interrupt WHERE thread_id = ? AND interrupt_id = ? AND batch_id = ?",
                        thread,
                        id,
                        batchId)) {
                    found(name + " asks " + id + ", which is not indexed.");
                }
            }
        }
    }

    private void grants() throws SQLException {
        pages(
                "SELECT thread_id, grant_id, body FROM holdpoint_grant"
                        + " WHERE (thread_id, grant_id) > (?, ?) ORDER BY thread_id, grant_id",
                new Object[] {"", ""},
                row -> readable(
                        "Grant " + row.getString(2) + " of thread " + row.getString(1), row.getString(3), Grant.class));
    }

    private void messages() throws SQLException {
        pages(
                "SELECT position, thread_id, message_id, body FROM holdpoint_message WHERE position > ? ORDER BY"
                        + " position",
                new Object[] {Long.MIN_VALUE},
                row -> readable(
                        "Message " + row.getString(3) + " of thread " + row.getString(2),
                        row.getString(4),
                        Message.class));
    }

    private void audit() throws SQLException {
        pages(
                "SELECT id, thread_id, kind, detail FROM holdpoint_audit WHERE id > ? ORDER BY id",
                new Object[] {Long.MIN_VALUE},
                row -> {
                    String name = "Event " + row.getLong(1) + " in the audit trail of thread " + row.getString(2);
                    readable(name, row.getString(4), JsonNode.class);
                    try {
                        AuditEvent.Kind.valueOf(row.getString(3));
                    } catch (IllegalArgumentException e) {
                        found(name + " is of a kind that is not known here: " + row.getString(3) + ".");
                    }
                });
    }

    private void memories() throws SQLException {
        pages(
                "SELECT memory_id, position, body FROM holdpoint_chat_message WHERE (memory_id, position) > (?, ?)"
                        + " ORDER BY memory_id, position",
                new Object[] {"", Long.MIN_VALUE},
                row -> {
                    try {
                        StoredMemory.message(row.getString(3));
                    } catch (RuntimeException e) {
                        found("The chat memory " + row.getString(1) + " cannot be read: " + e.getMessage());
                    }
                });
    }

    /** Reads a table by its key, which the first columns are. */
    private void pages(String select, Object[] before, RowCheck check) throws SQLException {
        Object[] last = before;
        while (!isFull()) {
            List<Object[]> page = sql.list(
                    select + " LIMIT " + PAGE,
                    row -> {
                        check.check(row);
                        Object[] key = new Object[before.length];
                        for (int i = 0; i < key.length; i++) {
                            key[i] = row.getObject(i + 1);
                        }
                        return key;
                    },
                    last);
            if (page.size() < PAGE) {
                return;
            }
            last = page.get(PAGE - 1);
        }
    }

    private <T> @Nullable T readable(String what, @Nullable String json, Class<T> type) {
        if (json == null) {
            return null;
        }
        try {
            return RecordJson.read(json, type);
        } catch (RuntimeException e) {
            found(what + " cannot be read: " + e.getMessage() + ".");
            return null;
        }
    }
}
