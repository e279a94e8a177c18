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

    /** The number of ids that are asked for at once; always as many, so that the statement is prepared once. */
    private static final int CHUNK = 100;

    /** A join, because PostgreSQL compares each message of the thread with each of a list of parameters. */
    private static final String KNOWN = "WITH asked (id) AS (VALUES "
            + String.join(", ", Collections.nCopies(CHUNK, "(?)"))
            + ") SELECT message_id FROM asked JOIN holdpoint_message ON message_id = id WHERE thread_id = ?";

    private Messages() {}

    static List<Message> transcript(Connection connection, String threadId) throws SQLException {
        return Sql.list(
                        connection,
                        "SELECT body FROM holdpoint_message WHERE thread_id = ? ORDER BY thread_id, position",
                        row -> Sql.record("a message", threadId, row.getString(1), Message.class),
                        StoredText.key(threadId))
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
        for (int from = 0; from < keys.size(); from += CHUNK) {
            List<String> chunk = keys.subList(from, Math.min(from + CHUNK, keys.size()));
            @Nullable Object[] parameters = new Object[CHUNK + 1];
            Arrays.fill(parameters, chunk.get(0));
            for (int i = 0; i < chunk.size(); i++) {
                parameters[i] = chunk.get(i);
            }
            parameters[CHUNK] = StoredText.key(threadId);
            found.addAll(Sql.list(connection, KNOWN, row -> row.getString(1), parameters));
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
