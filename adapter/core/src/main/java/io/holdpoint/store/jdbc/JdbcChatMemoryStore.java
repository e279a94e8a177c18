package io.holdpoint.store.jdbc;

import dev.langchain4j.data.message.ChatMessage;
import dev.langchain4j.store.memory.chat.ChatMemoryStore;
import io.holdpoint.store.StoreException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import javax.sql.DataSource;

/**
 * Keeps LangChain4j chat memories in the database of a {@link JdbcStore}, tables {@code holdpoint_chat_memory} and
 * {@code holdpoint_chat_message}, each message as LangChain4j's own JSON. A write changes only the messages that differ: a memory of any
 * length is appended to for the price of what is appended. A memory is known by the text of its id. Thread-safe, as long as the data source is; what is
 * written last to a memory stays. Each write of a run is one transaction with the check of its lease, if the store of its agent
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
        return RunSession.present(database.dataSource())
                .map(session -> session.memory(key, () -> read(key)))
                .orElseGet(() -> read(key))
                .messages();
    }

    private StoredMemory read(String key) {
        return database.statement("read a chat memory", connection -> StoredMemory.read(connection, key));
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
        List<ChatMessage> next = List.copyOf(messages);
        write("write a chat memory", memoryId, (connection, key, known) -> {
            StoredMemory present = known.isPresent() ? known.get() : StoredMemory.read(connection, key);
            return present.write(connection, key, next);
        });
    }

    @FunctionalInterface
    private interface Write {
        /** Says what the memory is afterwards. */
        StoredMemory run(Connection connection, String key, Optional<StoredMemory> known) throws SQLException;
    }

    /** A write for a run is one transaction with the check of its lease. */
    private void write(String operation, Object memoryId, Write work) {
        String key = StoredText.key(memoryId.toString());
        Optional<RunSession> session = RunSession.present(database.dataSource());
        Optional<StoredMemory> known = session.flatMap(present -> present.known(key));
        RunSession.forget(database.dataSource(), key);
        StoredMemory written = database.transaction(operation, connection -> {
            if (session.isPresent()) {
                Leases.lock(connection, database.dialect(), session.get().lease);
            } else {
                database.dialect().setLimits(connection);
            }
            return work.run(connection, key, known);
        });
        RunSession.forget(database.dataSource(), key);
        session.ifPresent(present -> present.remembers(key, written));
    }

    /**
     * Removes a memory.
     *
     * @param memoryId whose; its {@code toString()} counts
     * @throws StoreException if the database fails
     */
    @Override
    public void deleteMessages(Object memoryId) {
        write("remove a chat memory", memoryId, (connection, key, known) -> {
            StoredMemory.remove(connection, key);
            return StoredMemory.absent();
        });
    }
}
