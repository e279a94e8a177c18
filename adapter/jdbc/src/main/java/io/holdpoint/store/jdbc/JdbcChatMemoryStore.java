package io.holdpoint.store.jdbc;

import dev.langchain4j.data.message.ChatMessage;
import dev.langchain4j.store.memory.chat.ChatMemoryStore;
import io.holdpoint.store.LeaseLostException;
import io.holdpoint.store.StoreException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import javax.sql.DataSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps LangChain4j chat memories in the database of a {@link JdbcStore}, table {@code holdpoint_chat_message},
 * each message as LangChain4j's own JSON. A write changes only the messages that differ: a
 * memory of any length is appended to for the price of what is appended. A memory is known by the text of its id. Thread-safe,
 * as long as the data source is; what is written last to a memory stays. If the store of an agent is a {@link JdbcStore} with
 * the same data source, what a run writes to its memory is one transaction with the run's next commit and the check of its
 * lease; others see it then.
 */
public final class JdbcChatMemoryStore implements ChatMemoryStore {

    private static final Logger LOG = LoggerFactory.getLogger(JdbcChatMemoryStore.class);

    private final Database database;

    private JdbcChatMemoryStore(Database database) {
        this.database = database;
    }

    /** A store of chat memories, on the tables of {@link JdbcStore#create}, which are created if the database has none. */
    public static JdbcChatMemoryStore create(DataSource dataSource) {
        return new JdbcChatMemoryStore(Schema.create(dataSource));
    }

    /** A store of chat memories on tables that are there already, as {@link JdbcStore#open} finds them. */
    public static JdbcChatMemoryStore open(DataSource dataSource) {
        return new JdbcChatMemoryStore(Schema.open(dataSource));
    }

    /** Reads a memory, which is empty if there is none; a {@link StoreException} if the database fails. */
    @Override
    public List<ChatMessage> getMessages(Object memoryId) {
        String key = StoredText.key(memoryId.toString());
        Optional<RunSession> session = RunSession.present(database.dataSource());
        session.ifPresent(reader -> storeWhatOthersLeft(key, reader));
        return session.isPresent()
                ? session.get().messages(key, () -> read(key))
                : read(key).messages();
    }

    /** Two threads may share a memory: what the run of the one has left for its commit must not miss in what the other writes. */
    private void storeWhatOthersLeft(String key, RunSession reader) {
        for (RunSession other : RunSession.othersThatLeft(database.dataSource(), key, reader)) {
            Map<String, Optional<List<ChatMessage>>> left = new HashMap<>(other.unwritten());
            left.keySet().retainAll(Set.of(key));
            try {
                other.written(left, database.transaction("write a chat memory", sql -> {
                    new Leases(sql).lock(other.lease);
                    return other.write(sql, left);
                }));
            } catch (LeaseLostException e) {
                LOG.debug("What {} had left is not written", other.lease, e);
            }
            RunSession.forget(database.dataSource(), key, Optional.of(other));
        }
    }

    private StoredMemory read(String key) {
        return database.statement("read a chat memory", sql -> StoredMemory.read(sql, key));
    }

    /** Replaces a memory; a {@link StoreException} if the database fails. */
    @Override
    public void updateMessages(Object memoryId, List<ChatMessage> messages) {
        write("write a chat memory", memoryId, Optional.of(List.copyOf(messages)));
    }

    /** Leaves the write of a run for its next commit; a run that has no lease of this process is checked at once. */
    private void write(String operation, Object memoryId, Optional<List<ChatMessage>> messages) {
        String key = StoredText.key(memoryId.toString());
        Optional<RunSession> session = RunSession.present(database.dataSource());
        RunSession.forget(database.dataSource(), key, session);
        if (session.isPresent() && session.get().defer(key, messages)) {
            return;
        }
        database.write(operation, sql -> {
            if (session.isPresent()) {
                new Leases(sql).lock(session.get().lease);
            } else {
                database.dialect().setLimits(sql);
            }
            if (messages.isPresent()) {
                StoredMemory.read(sql, key).write(sql, key, messages.get());
            } else {
                StoredMemory.remove(sql, key);
            }
        });
        RunSession.forget(database.dataSource(), key, Optional.empty());
    }

    /** Removes a memory; a {@link StoreException} if the database fails. */
    @Override
    public void deleteMessages(Object memoryId) {
        write("remove a chat memory", memoryId, Optional.empty());
    }
}
