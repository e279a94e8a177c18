package io.holdpoint.store.jdbc;

import dev.langchain4j.data.message.ChatMessage;
import dev.langchain4j.data.message.ChatMessageDeserializer;
import dev.langchain4j.data.message.ChatMessageSerializer;
import dev.langchain4j.store.memory.chat.ChatMemoryStore;
import io.holdpoint.store.RecordJson;
import io.holdpoint.store.StoreException;
import java.util.List;
import javax.sql.DataSource;

/**
 * Keeps LangChain4j chat memories in the database of a {@link JdbcStore}, table {@code holdpoint_chat_memory}, as
 * LangChain4j's own JSON. A memory is known by the text of its id. Thread-safe, as long as the data source is; what is
 * written last to a memory stays.
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
        return database.statement(
                        "read a chat memory",
                        connection -> Sql.first(
                                connection,
                                "SELECT messages FROM holdpoint_chat_memory WHERE memory_id = ?",
                                row -> row.getString(1),
                                StoredText.key(memoryId.toString())))
                .map(JdbcChatMemoryStore::read)
                .orElse(List.of());
    }

    /** Throws if they cannot be read. */
    static List<ChatMessage> read(String messages) {
        return ChatMessageDeserializer.messagesFromJson(RecordJson.fromAscii(messages));
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
        database.transaction(
                "write a chat memory",
                connection -> Sql.update(
                        connection,
                        "INSERT INTO holdpoint_chat_memory (memory_id, messages) VALUES (?, ?)"
                                + " ON CONFLICT (memory_id) DO UPDATE SET messages = excluded.messages",
                        key,
                        json));
    }

    /**
     * Removes a memory.
     *
     * @param memoryId whose; its {@code toString()} counts
     * @throws StoreException if the database fails
     */
    @Override
    public void deleteMessages(Object memoryId) {
        database.transaction(
                "remove a chat memory",
                connection -> Sql.update(
                        connection,
                        "DELETE FROM holdpoint_chat_memory WHERE memory_id = ?",
                        StoredText.key(memoryId.toString())));
    }
}
