package io.holdpoint.store.jdbc;

import io.holdpoint.agui.Message;
import io.holdpoint.store.Commit;
import io.holdpoint.store.RecordJson;
import io.holdpoint.store.Store.Lease;
import io.holdpoint.store.Store.Range;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The table of transcripts. Written to by whoever has locked the thread's lease. */
final class Messages {

    /** The numbers of ids that are asked for at once: always one of these, so that the statements are prepared once. */
    private static final int FEW = 10;

    private static final int MANY = 100;
    private static final String KNOWN_FEW = knownOf(FEW);
    private static final String KNOWN_MANY = knownOf(MANY);

    private final Sql sql;

    Messages(Sql sql) {
        this.sql = sql;
    }

    /** Looks each id up by the key: PostgreSQL compares a list or a join with each message of the thread. */
    private static String knownOf(int count) {
        return "WITH asked (id) AS (VALUES " + String.join(", ", Collections.nCopies(count, "(?)"))
                + ") SELECT id, (SELECT CASE WHEN cut_by IS NULL THEN 0 ELSE 1 END FROM holdpoint_message"
                + " WHERE agent = ? AND thread_id = ? AND message_id = id) FROM asked";
    }

    List<Message> transcript(String threadId, Range range) throws SQLException {
        String which = range.cut() ? " AND cut_by IS NOT NULL" : " AND cut_by IS NULL";
        List<@Nullable Object> parameters = new ArrayList<>(List.of(sql.agent, StoredText.key(threadId)));
        if (range.after().isPresent()) {
            which +=
                    " AND position > (SELECT position FROM holdpoint_message WHERE agent = ? AND thread_id = ? AND message_id = ?"
                            + " AND cut_by IS NULL)";
            parameters.addAll(List.of(
                    sql.agent,
                    StoredText.key(threadId),
                    StoredText.key(range.after().get())));
        }
        return sql.known(
                "SELECT body FROM holdpoint_message WHERE agent = ? AND thread_id = ?" + which
                        + " ORDER BY agent, thread_id, position",
                row -> Sql.record("a message", threadId, row.getString(1), Message.class),
                parameters.toArray());
    }

    Map<String, Boolean> known(String threadId, Collection<String> messageIds) throws SQLException {
        List<String> keys = messageIds.stream().map(StoredText::key).distinct().toList();
        Map<String, Boolean> found = new HashMap<>();
        int atOnce = keys.size() <= FEW ? FEW : MANY;
        for (int from = 0; from < keys.size(); from += atOnce) {
            List<String> chunk = keys.subList(from, Math.min(from + atOnce, keys.size()));
            @Nullable Object[] parameters = new Object[atOnce + 2];
            Arrays.fill(parameters, chunk.get(0));
            for (int i = 0; i < chunk.size(); i++) {
                parameters[i] = chunk.get(i);
            }
            parameters[atOnce] = sql.agent;
            parameters[atOnce + 1] = StoredText.key(threadId);
            sql.list(atOnce == FEW ? KNOWN_FEW : KNOWN_MANY, row -> cut(row, found), parameters);
        }
        Map<String, Boolean> known = new HashMap<>();
        for (String id : messageIds) {
            Boolean cut = found.get(StoredText.key(id));
            if (cut != null) {
                known.put(id, cut);
            }
        }
        return known;
    }

    void cut(Lease lease, Commit.Cut cut) throws SQLException {
        String thread = StoredText.key(lease.threadId());
        sql.write(
                "UPDATE holdpoint_message SET cut_by = ? WHERE agent = ? AND thread_id = ? AND cut_by IS NULL AND position >="
                        + " (SELECT position FROM holdpoint_message"
                        + " WHERE agent = ? AND thread_id = ? AND message_id = ? AND cut_by IS NULL)",
                StoredText.key(lease.runId()),
                sql.agent,
                thread,
                sql.agent,
                thread,
                StoredText.key(cut.fromMessageId()));
    }

    /** Notes whether the message of a row is cut off, if there is such a message. */
    private static Map<String, Boolean> cut(ResultSet row, Map<String, Boolean> found) throws SQLException {
        boolean isCut = row.getInt(2) == 1;
        if (!row.wasNull()) {
            found.put(row.getString(1), isCut);
        }
        return found;
    }

    void append(Lease lease, List<Message> messages) throws SQLException {
        String thread = StoredText.key(lease.threadId());
        String run = StoredText.key(lease.runId());
        List<@Nullable Object[]> rows = new ArrayList<>();
        for (Message message : messages) {
            String id = StoredText.key(message.id());
            rows.add(new Object[] {sql.agent, thread, id, RecordJson.write(message), run});
        }
        sql.insert(
                "INSERT INTO holdpoint_message (agent, thread_id, message_id, body, run_id)",
                rows,
                " ON CONFLICT DO NOTHING");
    }
}
