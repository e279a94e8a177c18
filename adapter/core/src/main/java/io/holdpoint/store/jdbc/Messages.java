package io.holdpoint.store.jdbc;

import io.holdpoint.agui.Message;
import io.holdpoint.store.RecordJson;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The table of transcripts. Written to by whoever has locked the thread's lease. */
final class Messages {

    /** The numbers of ids that are asked for at once: always one of these, so that the statements are prepared once. */
    private static final int FEW = 10;

    private static final int MANY = 100;
    private static final String KNOWN_FEW = knownOf(FEW);
    private static final String KNOWN_MANY = knownOf(MANY);

    private Messages() {}

    /** Looks each id up by the key: PostgreSQL compares a list or a join with each message of the thread. */
    private static String knownOf(int count) {
        return "WITH asked (id) AS (VALUES " + String.join(", ", Collections.nCopies(count, "(?)"))
                + ") SELECT (SELECT message_id FROM holdpoint_message WHERE thread_id = ? AND message_id = id) FROM asked";
    }

    static List<Message> transcript(Connection connection, String threadId) throws SQLException {
        return read(
                connection,
                "SELECT body FROM holdpoint_message WHERE thread_id = ? ORDER BY thread_id, position",
                threadId,
                StoredText.key(threadId));
    }

    static List<Message> transcriptFrom(Connection connection, String threadId, String messageId) throws SQLException {
        String thread = StoredText.key(threadId);
        return read(
                connection,
                "SELECT body FROM holdpoint_message WHERE thread_id = ? AND position >= (SELECT position FROM"
                        + " holdpoint_message WHERE thread_id = ? AND message_id = ?) ORDER BY thread_id, position",
                threadId,
                thread,
                thread,
                StoredText.key(messageId));
    }

    private static List<Message> read(Connection connection, String sql, String threadId, Object... parameters)
            throws SQLException {
        return Sql
                .list(
                        connection,
                        sql,
                        row -> Sql.record("a message", threadId, row.getString(1), Message.class),
                        parameters)
                .stream()
                .flatMap(Optional::stream)
                .toList();
    }

    static int count(Connection connection, String threadId) throws SQLException {
        return Sql.first(
                        connection,
                        "SELECT COUNT(*) FROM holdpoint_message WHERE thread_id = ?",
                        row -> row.getInt(1),
                        StoredText.key(threadId))
                .orElse(0);
    }

    static Set<String> known(Connection connection, String threadId, Collection<String> messageIds)
            throws SQLException {
        List<String> keys = messageIds.stream().map(StoredText::key).distinct().toList();
        Set<String> found = new HashSet<>();
        int chunkSize = keys.size() <= FEW ? FEW : MANY;
        for (int from = 0; from < keys.size(); from += chunkSize) {
            List<String> chunk = keys.subList(from, Math.min(from + chunkSize, keys.size()));
            @Nullable Object[] parameters = new Object[chunkSize + 1];
            Arrays.fill(parameters, chunk.get(0));
            for (int i = 0; i < chunk.size(); i++) {
                parameters[i] = chunk.get(i);
            }
            parameters[chunkSize] = StoredText.key(threadId);
            String sql = chunkSize == FEW ? KNOWN_FEW : KNOWN_MANY;
            found.addAll(Sql.list(connection, sql, row -> String.valueOf(row.getString(1)), parameters));
        }
        Set<String> known = new HashSet<>(messageIds);
        known.removeIf(id -> !found.contains(StoredText.key(id)));
        return known;
    }

    static void append(Connection connection, String threadId, List<Message> messages) throws SQLException {
        String thread = StoredText.key(threadId);
        List<@Nullable Object[]> rows = new ArrayList<>();
        for (Message message : messages) {
            String id = StoredText.key(message.id());
            rows.add(new Object[] {thread, id, RecordJson.write(message)});
        }
        Sql.batch(
                connection,
                "INSERT INTO holdpoint_message (thread_id, message_id, body)"
                        + " VALUES (?, ?, ?) ON CONFLICT DO NOTHING",
                rows);
    }
}
