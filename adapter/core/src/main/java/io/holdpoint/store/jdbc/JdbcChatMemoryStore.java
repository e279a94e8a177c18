package io.holdpoint.store.jdbc;

import dev.langchain4j.data.message.ChatMessage;
import dev.langchain4j.data.message.ChatMessageDeserializer;
import dev.langchain4j.data.message.ChatMessageSerializer;
import dev.langchain4j.store.memory.chat.ChatMemoryStore;
import io.holdpoint.store.RecordJson;
import io.holdpoint.store.StoreException;
import java.util.List;
import java.util.Optional;
import javax.sql.DataSource;

/**
 * Keeps LangChain4j chat memories in the database of a {@link JdbcStore}, table {@code holdpoint_chat_memory}, as
 * LangChain4j's own JSON. A memory is known by the text of its id. Thread-safe, as long as the data source is; what is
 * written last to a memory stays. What a run writes is one transaction with the check of its lease, if the store of its agent
 * is a {@link JdbcStore} with the same data source.
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
        write(
                "write a chat memory",
                key,
                Optional.of(json),
                connection -> Sql.update(
                        connection,
                        "INSERT INTO holdpoint_chat_memory (memory_id, messages) SELECT ?, ? WHERE "
                                + database.dialect().limits()
                                + " ON CONFLICT (memory_id) DO UPDATE SET messages = excluded.messages",
                        key,
                        json));
    }

    /** A write for a run is one transaction with the check of its lease. */
    private void write(String operation, String key, Optional<String> json, Database.Work<Integer> work) {
        Optional<RunSession> session = RunSession.present(database.dataSource());
        RunSession.forget(database.dataSource(), key);
        database.transaction(operation, connection -> {
            if (session.isPresent()) {
                Leases.lock(connection, database.dialect(), session.get().lease);
            }
            return work.run(connection);
        });
        RunSession.forget(database.dataSource(), key);
        session.ifPresent(present -> present.remembers(key, json));
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
        write(
                "remove a chat memory",
                key,
                Optional.empty(),
                connection -> Sql.update(
                        connection,
                        "DELETE FROM holdpoint_chat_memory WHERE memory_id = ? AND "
                                + database.dialect().limits(),
                        key));
    }
}
