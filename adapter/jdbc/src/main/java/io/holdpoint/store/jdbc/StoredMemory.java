package io.holdpoint.store.jdbc;

import dev.langchain4j.data.message.AiMessage;
import dev.langchain4j.data.message.ChatMessage;
import dev.langchain4j.data.message.ChatMessageDeserializer;
import dev.langchain4j.data.message.ChatMessageSerializer;
import dev.langchain4j.data.message.SystemMessage;
import dev.langchain4j.data.message.ToolExecutionResultMessage;
import dev.langchain4j.data.message.UserMessage;
import io.holdpoint.store.DamagedException;
import io.holdpoint.store.RecordJson;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/**
 * A chat memory as the table had it at one moment: a row for each message, and one before them, of position 0, with a stamp that every
 * write replaces. A write compares the stamp and then changes only the rows that differ. Thread-safe.
 */
final class StoredMemory {

    /** The fewest digits of a number that may be no long. */
    private static final int DIGITS_TOO_MANY = 19;

    private record Row(long position, String body) {}

    /** Empty for a memory that is not stored. */
    private final Optional<String> stamp;

    private final List<Row> rows;
    private volatile @Nullable List<ChatMessage> messages;

    private StoredMemory(Optional<String> stamp, List<Row> rows, @Nullable List<ChatMessage> messages) {
        this.stamp = stamp;
        this.rows = rows;
        this.messages = messages;
    }

    /** The columns that {@link #read(ResultSet, int)} reads, of the row {@code m} with the stamp: a line for each message. */
    static final String COLUMNS = "m.body, (SELECT string_agg(c.position || ' ' || c.body, '\n' ORDER BY c.position)"
            + " FROM holdpoint_chat_message c WHERE c.memory_id = m.memory_id AND c.position > 0),"
            + " (SELECT COUNT(*) FROM holdpoint_chat_message c WHERE c.memory_id = m.memory_id AND c.position > 0)";

    /** Reads a memory from {@link #COLUMNS}; empty if it is to be read by itself. */
    static Optional<StoredMemory> read(ResultSet row, int column) throws SQLException {
        String stamp = row.getString(column);
        if (stamp == null) {
            return Optional.of(absent());
        }
        String all = row.getString(column + 1);
        List<Row> rows = new ArrayList<>();
        for (String line : all == null ? List.<String>of() : all.lines().toList()) {
            int space = line.indexOf(' ');
            if (space > 0
                    && space < DIGITS_TOO_MANY
                    && line.startsWith("{", space + 1)
                    && line.chars().limit(space).allMatch(Character::isDigit)) {
                rows.add(new Row(Long.parseLong(line.substring(0, space)), line.substring(space + 1)));
            }
        }
        return rows.size() == row.getInt(column + 2)
                ? Optional.of(new StoredMemory(Optional.of(stamp), rows, null))
                : Optional.empty(); // a message is damaged
    }

    static StoredMemory absent() {
        return new StoredMemory(Optional.empty(), List.of(), List.of());
    }

    static StoredMemory read(Sql sql, String key) throws SQLException {
        record Line(String stamp, Optional<Row> row) {}
        List<Line> lines = sql.list(
                "SELECT m.body, c.position, c.body FROM holdpoint_chat_message m LEFT JOIN holdpoint_chat_message c"
                        + " ON c.memory_id = m.memory_id AND c.position > 0 WHERE m.memory_id = ? AND m.position = 0"
                        + " ORDER BY c.position",
                line -> new Line(line.getString(1), row(line)),
                key);
        if (lines.isEmpty()) {
            return absent();
        }
        List<Row> rows = lines.stream().flatMap(line -> line.row().stream()).toList();
        return new StoredMemory(Optional.of(lines.get(0).stamp()), rows, null);
    }

    private static Optional<Row> row(ResultSet line) throws SQLException {
        String body = line.getString(3);
        return body == null ? Optional.empty() : Optional.of(new Row(line.getLong(2), body));
    }

    /** Locks the stamp first, as a write does; without one there is nothing to remove, or what others begin comes later. */
    static void remove(Sql sql, String key) throws SQLException {
        if (sql.changesOne("DELETE FROM holdpoint_chat_message WHERE memory_id = ? AND position = 0", key)) {
            sql.write("DELETE FROM holdpoint_chat_message WHERE memory_id = ?", key);
        }
    }

    /** The messages; throws if they cannot be read. */
    List<ChatMessage> messages() {
        List<ChatMessage> read = messages;
        if (read == null) {
            read = rows.stream().map(row -> message(row.body())).toList();
            messages = read;
        }
        return new ArrayList<>(read);
    }

    /** Throws a {@link DamagedException} if it cannot be read. */
    static ChatMessage message(String body) {
        try {
            return ChatMessageDeserializer.messageFromJson(RecordJson.fromAscii(body));
        } catch (RuntimeException damaged) {
            throw new DamagedException("a message of a chat memory cannot be read", damaged);
        }
    }

    /** Makes the memory hold these messages, whatever others have written since it was read. */
    StoredMemory write(Sql sql, String key, List<ChatMessage> next) throws SQLException {
        StoredMemory present = this;
        String stamped = Long.toString(ThreadLocalRandom.current().nextLong());
        while (!present.restamp(sql, key, stamped)) {
            present = read(sql, key);
        }
        return present.replace(sql, key, next, stamped);
    }

    /** Locks the memory until the transaction ends; {@code false} if it is not as it was, which may come out later. */
    private boolean restamp(Sql sql, String key, String next) throws SQLException {
        return stamp.isEmpty()
                ? sql.changesOne(
                        "INSERT INTO holdpoint_chat_message (memory_id, position, body) VALUES (?, 0, ?) ON CONFLICT DO NOTHING",
                        key,
                        next)
                : sql.changesOne(
                        "UPDATE holdpoint_chat_message SET body = ? WHERE memory_id = ? AND position = 0 AND body = ?",
                        next,
                        key,
                        stamp.get());
    }

    /**
     * A memory grows at its end, and a window evicts from the beginning, behind a system message: what is removed is one
     * range, and what is added comes last.
     */
    private StoredMemory replace(Sql sql, String key, List<ChatMessage> next, String stamped) throws SQLException {
        @Nullable String[] written = new String[next.size()];
        int kept = 0;
        while (kept < rows.size() && kept < next.size() && isSame(kept, next, kept, written)) {
            kept++;
        }
        int removed = 0;
        while (!endsWithin(next, kept, kept + removed, written)) {
            removed++;
        }
        if (removed > 0) {
            sql.write(
                    "DELETE FROM holdpoint_chat_message WHERE memory_id = ? AND position BETWEEN ? AND ?",
                    key,
                    rows.get(kept).position(),
                    rows.get(kept + removed - 1).position());
        }
        List<Row> all = new ArrayList<>(rows);
        all.subList(kept, kept + removed).clear();
        List<@Nullable Object[]> added = new ArrayList<>();
        long position = rows.isEmpty() ? 0 : rows.get(rows.size() - 1).position();
        for (int i = all.size(); i < next.size(); i++) {
            Row row = new Row(++position, json(next, i, written));
            all.add(row);
            added.add(new Object[] {key, row.position(), row.body()});
        }
        sql.insert("INSERT INTO holdpoint_chat_message (memory_id, position, body)", added, "");
        return new StoredMemory(Optional.of(stamped), all, List.copyOf(next));
    }

    /** Says whether the rows from a place to the end are the messages from another place on. */
    private boolean endsWithin(List<ChatMessage> next, int place, int fromRow, @Nullable String[] written) {
        if (next.size() - place < rows.size() - fromRow) {
            return false;
        }
        for (int i = fromRow; i < rows.size(); i++) {
            if (!isSame(i, next, place + i - fromRow, written)) {
                return false;
            }
        }
        return true;
    }

    private boolean isSame(int row, List<ChatMessage> next, int index, @Nullable String[] written) {
        List<ChatMessage> known = messages;
        ChatMessage message = next.get(index);
        return (known != null && known.get(row) == message && isFixed(message))
                || rows.get(row).body().equals(json(next, index, written));
    }

    /** Says whether the message cannot have changed since it was read or written. */
    private static boolean isFixed(ChatMessage message) {
        return message instanceof SystemMessage
                || message instanceof AiMessage
                || message instanceof ToolExecutionResultMessage
                || (message instanceof UserMessage user && user.attributes().isEmpty());
    }

    private static String json(List<ChatMessage> messages, int index, @Nullable String[] written) {
        String json = written[index];
        if (json == null) {
            json = RecordJson.toAscii(ChatMessageSerializer.messageToJson(messages.get(index)));
            written[index] = json;
        }
        return json;
    }
}
