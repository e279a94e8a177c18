package io.holdpoint.store.jdbc;

import dev.langchain4j.data.message.ChatMessage;
import dev.langchain4j.data.message.ChatMessageDeserializer;
import dev.langchain4j.data.message.ChatMessageSerializer;
import dev.langchain4j.store.memory.chat.ChatMemoryStore;
import io.holdpoint.store.RecordJson;
import io.holdpoint.store.StoreException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import javax.sql.DataSource;

/**
 * Keeps LangChain4j chat memories in the database of a {@link JdbcStore}, table {@code holdpoint_chat_memory}, as
 * LangChain4j's own JSON. A memory is known by the text of its id. Thread-safe, as long as the data source is; what is
 * written last to a memory stays. If the store of an agent is a {@link JdbcStore} with the same data source, what a run writes
 * to its memory is one transaction with the run's next commit and the check of its lease; others see it then.
 */
public final class JdbcChatMemoryStore implements ChatMemoryStore {

    private final Database database;

    private JdbcChatMemoryStore(Database database) {
        this.database = database;
    }

    /**
     * A store of chat memories, whose table is created with those of {@link JdbcStore#create} if the database has none.
     *
     * @param dataSource gives connections; remains the caller's to close
     * @return the store
     * @throws StoreException as {@link JdbcStore#create} does
     */
    public static JdbcChatMemoryStore create(DataSource dataSource) {
        return new JdbcChatMemoryStore(Schema.create(dataSource));
    }

    /**
     * A store of chat memories on a table that is there already.
     *
     * @param dataSource gives connections; remains the caller's to close
     * @return the store
     * @throws StoreException as {@link JdbcStore#open} does
     */
    public static JdbcChatMemoryStore open(DataSource dataSource) {
        return new JdbcChatMemoryStore(Schema.open(dataSource));
    }

    /**
     * Reads a memory.
     *
     * @param memoryId whose; its {@code toString()} counts
     * @return its messages, empty if there is none
     * @throws StoreException if the database fails
     */
    @Override
    public List<ChatMessage> getMessages(Object memoryId) {
        String key = StoredText.key(memoryId.toString());
        Optional<RunSession> session = RunSession.present(database.dataSource());
        Optional<String> json = session.isPresent() ? session.get().memory(key, () -> read(key)) : read(key);
        return json.map(JdbcChatMemoryStore::messages).orElse(List.of());
    }

    private Optional<String> read(String key) {
        return database.statement(
                "read a chat memory",
                connection -> Sql.first(
                        connection,
                        "SELECT messages FROM holdpoint_chat_memory WHERE memory_id = ?",
                        row -> row.getString(1),
                        key));
    }

    /** Throws if they cannot be read. */
    static List<ChatMessage> messages(String json) {
        return ChatMessageDeserializer.messagesFromJson(RecordJson.fromAscii(json));
    }

    /**
     * Replaces a memory.
     *
     * @param memoryId whose; its {@code toString()} counts
     * @param messages all that it holds from now on
     * @throws StoreException if the database fails
     */
    @Override
    public void updateMessages(Object memoryId, List<ChatMessage> messages) {
        String key = StoredText.key(memoryId.toString());
        String json = RecordJson.toAscii(ChatMessageSerializer.messagesToJson(messages));
        write("write a chat memory", key, Optional.of(json));
    }

    /** Leaves the write of a run for its next commit; a run that has no lease of this process is checked at once. */
    private void write(String operation, String key, Optional<String> json) {
        Optional<RunSession> session = RunSession.present(database.dataSource());
        RunSession.forget(database.dataSource(), key);
        if (session.isPresent() && session.get().leaves(key, json)) {
            return;
        }
        database.write(operation, connection -> {
            if (session.isPresent()) {
                Leases.lock(connection, database.dialect(), session.get().lease);
            }
            write(connection, database.dialect(), Map.of(key, json));
        });
        RunSession.forget(database.dataSource(), key);
    }

    /** Writes memories by their keys; removes those that are empty. */
    static void write(Connection connection, SqlDialect dialect, Map<String, Optional<String>> memories)
            throws SQLException {
        for (Map.Entry<String, Optional<String>> memory : memories.entrySet()) {
            if (memory.getValue().isPresent()) {
                Sql.update(
                        connection,
                        "INSERT INTO holdpoint_chat_memory (memory_id, messages) SELECT ?, ? WHERE " + dialect.limits()
                                + " ON CONFLICT (memory_id) DO UPDATE SET messages = excluded.messages",
                        memory.getKey(),
                        memory.getValue().get());
            } else {
                Sql.update(
                        connection,
                        "DELETE FROM holdpoint_chat_memory WHERE memory_id = ? AND " + dialect.limits(),
                        memory.getKey());
            }
        }
    }

    /**
     * Removes a memory.
     *
     * @param memoryId whose; its {@code toString()} counts
     * @throws StoreException if the database fails
     */
    @Override
    public void deleteMessages(Object memoryId) {
        String key = StoredText.key(memoryId.toString());
        write("remove a chat memory", key, Optional.empty());
    }
}
