package io.holdpoint.store.jdbc;

import dev.langchain4j.data.message.ChatMessage;
import io.holdpoint.store.Store.Lease;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * A run of this process that has a lease, as the chat memories of the same data source see it: its writes go with its next
 * commit, and a memory that it has read is not read again, because only the run that has the lease writes to it. A write from
 * elsewhere in the process makes the session forget the memory. Thread-safe.
 */
final class RunSession {

    private static final Map<Key, RunSession> SESSIONS = new ConcurrentHashMap<>();
    private static final ThreadLocal<@Nullable RunSession> PRESENT = new ThreadLocal<>();

    private record Key(DataSource dataSource, String threadId, long epoch) {

        static Key of(DataSource dataSource, Lease lease) {
            return new Key(dataSource, lease.threadId(), lease.epoch());
        }
    }

    final Lease lease;

    private final DataSource dataSource;
    /** The memories by their keys, as they are stored. */
    private final Map<String, StoredMemory> memories = new ConcurrentHashMap<>();
    /** The messages that wait for the next commit; empty for a memory that is to be removed. */
    private final Map<String, Optional<List<ChatMessage>>> unwritten = new ConcurrentHashMap<>();

    private volatile boolean asked;

    private RunSession(DataSource dataSource, Lease lease) {
        this.dataSource = dataSource;
        this.lease = lease;
    }

    /** The run has its lease. */
    static RunSession begin(DataSource dataSource, Lease lease) {
        RunSession session = new RunSession(dataSource, lease);
        SESSIONS.put(Key.of(dataSource, lease), session);
        return session;
    }

    /** The run no longer has its lease. */
    static void end(DataSource dataSource, Lease lease) {
        SESSIONS.remove(Key.of(dataSource, lease));
    }

    /** The session of a lease; one without memory if the lease was not acquired here, or was given back. */
    static RunSession of(DataSource dataSource, Lease lease) {
        RunSession session = SESSIONS.get(Key.of(dataSource, lease));
        return session == null ? new RunSession(dataSource, lease) : session;
    }

    /** The session that the current thread works in, if it is of that data source. */
    static Optional<RunSession> present(DataSource dataSource) {
        RunSession present = PRESENT.get();
        return present == null || present.dataSource != dataSource ? Optional.empty() : Optional.of(present);
    }

    /** The sessions of a data source without one. */
    private static Stream<RunSession> others(DataSource dataSource, Optional<RunSession> without) {
        return SESSIONS.values().stream()
                .filter(session -> session.dataSource == dataSource
                        && without.filter(session::equals).isEmpty());
    }

    /** Makes the sessions of a data source forget a memory, except for the one that is about to write it. */
    static void forget(DataSource dataSource, String memoryKey, Optional<RunSession> writer) {
        others(dataSource, writer).forEach(session -> {
            session.unwritten.remove(memoryKey);
            session.memories.remove(memoryKey);
        });
    }

    /** The other sessions of a data source that have left a write of a memory for their next commit. */
    static List<RunSession> othersThatLeft(DataSource dataSource, String memoryKey, RunSession reader) {
        return others(dataSource, Optional.of(reader))
                .filter(session -> session.unwritten.containsKey(memoryKey))
                .toList();
    }

    /** Does the work as this session's; says whether it has ever asked for a memory. */
    boolean within(Runnable work) {
        RunSession before = PRESENT.get();
        PRESENT.set(this);
        try {
            work.run();
        } finally {
            PRESENT.set(before);
        }
        return asked;
    }

    List<ChatMessage> messages(String key, Supplier<StoredMemory> stored) {
        asked = true;
        Optional<List<ChatMessage>> waiting = unwritten.get(key);
        return waiting != null
                ? new ArrayList<>(waiting.orElse(List.of()))
                : memories.computeIfAbsent(key, unread -> stored.get()).messages();
    }

    /** Remembers what is stored as a memory. */
    void remember(String key, StoredMemory stored) {
        memories.put(key, stored);
    }

    /** Defers a write to the next commit; {@code false} if none is going to come. */
    boolean defer(String key, Optional<List<ChatMessage>> messages) {
        if (SESSIONS.get(Key.of(dataSource, lease)) != this) {
            return false;
        }
        unwritten.put(key, messages);
        return true;
    }

    /** The writes that wait for the next commit. */
    Map<String, Optional<List<ChatMessage>>> unwritten() {
        return Map.copyOf(unwritten);
    }

    /** Writes what waits; returns the memories as they are then stored. */
    Map<String, StoredMemory> write(Sql sql, Map<String, Optional<List<ChatMessage>>> waiting) throws SQLException {
        Map<String, StoredMemory> stored = new HashMap<>();
        for (Map.Entry<String, Optional<List<ChatMessage>>> memory : waiting.entrySet()) {
            String key = memory.getKey();
            if (memory.getValue().isPresent()) {
                StoredMemory known = memories.get(key);
                StoredMemory before = known == null ? StoredMemory.read(sql, key) : known;
                stored.put(key, before.write(sql, key, memory.getValue().get()));
            } else {
                StoredMemory.remove(sql, key);
                stored.put(key, StoredMemory.absent());
            }
        }
        return stored;
    }

    /** Takes note of a commit. */
    void written(Map<String, Optional<List<ChatMessage>>> waiting, Map<String, StoredMemory> stored) {
        memories.putAll(stored);
        waiting.forEach(unwritten::remove);
    }

    /** Clears all memories, and what waits. */
    void clear() {
        unwritten.clear();
        memories.clear();
    }
}
