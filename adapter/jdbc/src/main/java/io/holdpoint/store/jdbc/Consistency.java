package io.holdpoint.store.jdbc;

import com.fasterxml.jackson.databind.JsonNode;
import io.holdpoint.agui.Message;
import io.holdpoint.store.AuditEvent;
import io.holdpoint.store.Batch;
import io.holdpoint.store.Call;
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
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Checks the tables against each other and reads every record, page by page, in one snapshot. A table that the database
 * cannot read is a finding too, and does not hide the others.
 */
final class Consistency {

    private static final int PAGE = 500;

    /** The name of a row's thread in a sentence, with its agent's if that has one. */
    private static String thread(String row) {
        return "CASE %1$s.agent WHEN '' THEN '' ELSE %1$s.agent || '/' END || %1$s.thread_id".formatted(row);
    }

    /** A SELECT of what there must not be: the id of a thread (or memory), and another one. */
    private record Rule(String sentence, String select) {

        private static Rule isOfThread(String what, String table, String id) {
            return new Rule(
                    "There is no thread %s for its " + what + " %s.",
                    "SELECT " + thread("x") + ", x." + id + " FROM " + table + " x WHERE NOT EXISTS"
                            + " (SELECT 1 FROM holdpoint_thread t WHERE t.agent = x.agent AND t.thread_id = x.thread_id)");
        }

        /** Looks at ids that stand in the index as they are, see {@link StoredText#key}. */
        private static Rule isIndexed(String sentence, String event, Store.IdOf kind, String id) {
            return new Rule(
                    "The audit trail of thread %s says that the " + sentence,
                    ("SELECT " + thread("a")
                                    + ", %2$s FROM holdpoint_audit a WHERE a.kind = '%1$s' AND LENGTH(%2$s) <= "
                                    + StoredText.MAX_KEY + " AND NOT EXISTS (SELECT 1 FROM holdpoint_fact i"
                                    + " WHERE i.agent = a.agent AND i.thread_id = a.thread_id AND i.kind = '%3$s'"
                                    + " AND i.name = a.%2$s) AND NOT EXISTS"
                                    + " (SELECT 1 FROM holdpoint_thread p WHERE p.agent = a.agent AND p.thread_id = a.thread_id"
                                    + " AND p.purged = TRUE)")
                            .formatted(event, id, kind));
        }
    }

    private static final List<Rule> RULES = List.of(
            new Rule(
                    "Thread %s works on batch %s, which is finished or not there.",
                    "SELECT " + thread("t")
                            + ", t.batch_id FROM holdpoint_thread t WHERE t.batch_id IS NOT NULL AND NOT EXISTS"
                            + " (SELECT 1 FROM holdpoint_batch h WHERE h.agent = t.agent AND h.thread_id = t.thread_id"
                            + " AND h.batch_id = t.batch_id AND h.finished = FALSE)"),
            new Rule(
                    "Thread %s does not work on its unfinished batch %s.",
                    "SELECT " + thread("h")
                            + ", h.batch_id FROM holdpoint_batch h WHERE h.finished = FALSE AND NOT EXISTS"
                            + " (SELECT 1 FROM holdpoint_thread t WHERE t.agent = h.agent AND t.thread_id = h.thread_id"
                            + " AND t.batch_id = h.batch_id)"),
            new Rule(
                    "Thread %s has the open batch %s, but none of its interrupts.",
                    "SELECT " + thread("h")
                            + ", h.batch_id FROM holdpoint_batch h WHERE h.asked_at IS NOT NULL AND NOT EXISTS"
                            + " (SELECT 1 FROM holdpoint_fact i WHERE i.kind = 'INTERRUPT' AND i.agent = h.agent AND i.thread_id = h.thread_id"
                            + " AND i.value = h.batch_id)"),
            new Rule(
                    "The calls of thread %s belong to batch %s, which is not there.",
                    "SELECT DISTINCT " + thread("c") + ", c.batch_id FROM holdpoint_call c WHERE NOT EXISTS"
                            + " (SELECT 1 FROM holdpoint_batch h WHERE h.agent = c.agent AND h.thread_id = c.thread_id"
                            + " AND h.batch_id = c.batch_id)"),
            new Rule(
                    "There is no chat memory %s for its message %s.",
                    "SELECT c.memory_id, c.position FROM holdpoint_chat_message c WHERE NOT EXISTS"
                            + " (SELECT 1 FROM holdpoint_chat_message m WHERE m.memory_id = c.memory_id AND m.position = 0)"),
            Rule.isOfThread("batch", "holdpoint_batch", "batch_id"),
            Rule.isOfThread(
                    "interrupt, tool call or grant",
                    "(SELECT * FROM holdpoint_fact WHERE kind IN ('INTERRUPT', 'TOOL_CALL', 'GRANT')"
                            + " AND SUBSTR(thread_id, 1, 5) <> '\\u000')",
                    "name"),
            Rule.isOfThread("message", "holdpoint_message", "message_id"),
            Rule.isIndexed(
                    "interrupt %s was issued, which the thread never did.",
                    "HELD", Store.IdOf.INTERRUPT, "interrupt_id"),
            Rule.isIndexed(
                    "call %s was proposed, which the thread does not have.",
                    "PROPOSED", Store.IdOf.TOOL_CALL, "tool_call_id"));

    private final Sql sql;
    private final List<String> findings = new ArrayList<>();

    Consistency(Sql sql) {
        this.sql = sql;
    }

    /** One sentence for each thing that is wrong. */
    List<String> check() throws SQLException {
        section("the database", () -> sql.dialect.checkFile(sql, this::found));
        section("the version", this::version);
        section("the references", this::references);
        section("the counters", () -> {
            counter("holdpoint_message", "position");
            counter("holdpoint_audit", "id");
            if (sql.dialect == SqlDialect.SQLITE) {
                counter("holdpoint_lease", "epoch");
            }
        });
        table("holdpoint_thread t", "agent, thread_id", "state, turn, " + thread("t"), row -> {
            readable("The state" + ofThread(row, 5), row.getString(3), JsonNode.class);
            readable("The turn" + ofThread(row, 5), row.getString(4), TurnRecord.class);
        });
        table(
                "holdpoint_batch h",
                "h.agent, h.thread_id, h.batch_id",
                "h.finished, h.asked_at, " + thread("h")
                        + ", (SELECT t.id_text FROM holdpoint_thread t WHERE t.agent = h.agent AND t.thread_id = h.thread_id), "
                        + StoredBatch.COLUMNS,
                this::batch);
        table("holdpoint_fact f", "agent, thread_id, kind, name", "value, " + thread("f"), row -> {
            if (row.getString(3).equals("GRANT")) {
                readable("Grant " + row.getString(4) + ofThread(row, 6), row.getString(5), Grant.class);
            }
        });
        table(
                "holdpoint_message m",
                "position",
                thread("m") + ", message_id, body",
                row -> readable("Message " + row.getString(3) + ofThread(row, 2), row.getString(4), Message.class));
        table("holdpoint_audit a", "id", thread("a") + ", kind, detail", this::event);
        table("holdpoint_chat_message", "memory_id, position", "body", row -> {
            String body = row.getString(3);
            if (row.getLong(2) == 0) {
                return;
            }
            readable("The chat memory " + row.getString(1), () -> StoredMemory.message(body));
        });
        return List.copyOf(findings);
    }

    @FunctionalInterface
    private interface Section {
        void check() throws SQLException;
    }

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

    /** Checks each row, in the order of the key, whose columns come first. */
    private void table(String table, String key, String columns, RowCheck check) throws SQLException {
        section(table.split(" ")[0], () -> {
            int width = key.split(",").length;
            String select = "SELECT " + key + ", " + columns + " FROM " + table;
            String end = " ORDER BY " + key + " LIMIT " + PAGE;
            String behind = " WHERE (" + key + ") > (" + "?, ".repeat(width - 1) + "?)";
            Sql.Row<Object[]> reader = row -> {
                check.check(row);
                Object[] last = new Object[width];
                for (int i = 0; i < width; i++) {
                    last[i] = row.getObject(i + 1);
                }
                return last;
            };
            List<Object[]> page = sql.list(select + end, reader);
            while (page.size() == PAGE && !isFull()) {
                page = sql.list(select + behind + end, reader, page.get(PAGE - 1));
            }
        });
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
        String version = Schema.version(sql).map(String::valueOf).orElse("no");
        if (!version.equals(String.valueOf(Schema.VERSION))) {
            found("The tables are of version " + version + ", this library works with version " + Schema.VERSION + ".");
        }
    }

    private void references() throws SQLException {
        for (Rule rule : RULES) {
            sql.list(
                            rule.select + " LIMIT " + Store.MAX_FINDINGS,
                            row -> rule.sentence.formatted(row.getString(1), row.getString(2)))
                    .forEach(this::found);
        }
    }

    private void counter(String table, String column) throws SQLException {
        long given = sql.first(sql.dialect.lastValue(table, column), row -> row.getLong(1))
                .orElse(0L);
        long used = sql.first("SELECT COALESCE(MAX(" + column + "), 0) FROM " + table, row -> row.getLong(1))
                .orElse(0L);
        if (used > given) {
            found("The counter of " + table + "." + column + " stands at " + given + ", behind its row " + used + ".");
        }
    }

    private void batch(ResultSet row) throws SQLException {
        String name = "Batch " + row.getString(3) + ofThread(row, 6);
        String thread = row.getString(7) == null ? row.getString(2) : StoredText.read(row.getString(7));
        Optional<Batch> batch = StoredBatch.read(thread, row, 8);
        if (batch.isPresent()) {
            fits(name, row, batch.get());
            indexed(name, List.of(row.getString(1), row.getString(2)), row.getString(3), batch.get());
        } else {
            found(name + " cannot be read.");
        }
    }

    /** A commit writes a batch and its calls: neither is ahead of the other. */
    private void fits(String name, ResultSet row, Batch batch) throws SQLException {
        boolean asks =
                batch.calls().stream().anyMatch(call -> call.openQuestion().isPresent());
        boolean fits = (batch.state() == Batch.State.FINISHED) == row.getBoolean(4)
                && Objects.equals(Batches.askedAt(batch), number(row, 5))
                && StoredText.key(batch.id()).equals(row.getString(3))
                && asks == (batch.state() == Batch.State.OPEN)
                && batch.calls().stream()
                        .allMatch(call ->
                                // a transition answers a call or claims it, not both
                                call.answers().size() + call.attempts().size() <= batch.version());
        if (!fits) {
            found(name + " is not what its calls say: it is " + batch.state() + " at version " + batch.version() + ".");
        }
    }

    private static @Nullable Long number(ResultSet row, int column) throws SQLException {
        long value = row.getLong(column);
        return row.wasNull() ? null : value;
    }

    private void indexed(String name, List<String> thread, String batchId, Batch batch) throws SQLException {
        for (Call call : batch.calls()) {
            for (String contradiction : ShownArguments.contradictions(call)) {
                found(name + ": the call " + StoredText.write(call.toolCallId()) + " " + contradiction + ".");
            }
            if (!sql.exists(
                    "SELECT 1 FROM holdpoint_fact WHERE agent = ? AND thread_id = ? AND kind = 'TOOL_CALL' AND name = ?",
                    thread.get(0),
                    thread.get(1),
                    StoredText.key(call.toolCallId()))) {
                found(name + " has the tool call " + StoredText.write(call.toolCallId()) + ", which is not indexed.");
            }
            for (Call.Asked asked : call.asked()) {
                String id = StoredText.key(asked.question().interrupt().id());
                if (isKnown(asked) && !(asked.isIntact() && isAsTheTrailSays(thread, id, asked))) {
                    found(name + ": who had to decide about " + id
                            + ", who did, or what, is not what was stored when it was decided.");
                }
                if (!sql.exists(
                        "SELECT 1 FROM holdpoint_fact WHERE agent = ? AND thread_id = ? AND kind = 'INTERRUPT' AND name = ?"
                                + " AND value = ?",
                        thread.get(0),
                        thread.get(1),
                        id,
                        batchId)) {
                    found(name + " asks " + id + ", which is not indexed.");
                }
            }
        }
    }

    /** An answer in words of a later version is not known here. */
    private static boolean isKnown(Call.Asked asked) {
        return asked.answer()
                .filter(answer -> answer.how() == Call.Answer.How.UNKNOWN)
                .isEmpty();
    }

    /** The trail tells of each decision, vote and amendment, with the hash that the record had then; what ends undecided runs nothing. */
    private boolean isAsTheTrailSays(List<String> thread, String interrupt, Call.Asked asked) throws SQLException {
        boolean isDecided = asked.answer()
                .map(answer -> answer.how() == Call.Answer.How.RESOLVED)
                .orElse(!asked.votes().isEmpty());
        if (!isDecided) {
            return true;
        }
        List<String> told = sql.list(
                "SELECT detail FROM holdpoint_audit WHERE agent = ? AND thread_id = ? AND interrupt_id = ? AND kind IN"
                        + " ('HELD', 'VOTED', 'EXTENDED', 'HANDED', 'DECIDED') ORDER BY id",
                row -> row.getString(1),
                thread.get(0),
                thread.get(1),
                interrupt);
        return told.isEmpty() || told.get(told.size() - 1).contains("\"sha256\":\"" + asked.sha256() + '"');
    }

    private void event(ResultSet row) throws SQLException {
        String name = "Event " + row.getLong(1) + " in the audit trail" + ofThread(row, 2);
        String kind = row.getString(3);
        readable(name, row.getString(4), JsonNode.class);
        if (Stream.of(AuditEvent.Kind.values()).noneMatch(each -> each.name().equals(kind))) {
            found(name + " is of a kind that is not known here: " + kind + ".");
        }
    }

    private static String ofThread(ResultSet row, int column) throws SQLException {
        return " of thread " + row.getString(column);
    }

    private void readable(String what, @Nullable String json, Class<?> type) {
        if (json != null) {
            readable(what, () -> RecordJson.read(json, type));
        }
    }

    private void readable(String what, Runnable read) {
        try {
            read.run();
        } catch (RuntimeException e) {
            found(what + " cannot be read: " + e.getMessage() + ".");
        }
    }
}
