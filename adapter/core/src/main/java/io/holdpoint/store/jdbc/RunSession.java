package io.holdpoint.store.jdbc;

import io.holdpoint.store.Store.Lease;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * A run of this process that has a lease, as the chat memories of the same data source see it: its writes check the lease, and
 * a memory that it has read is not read again, because only the run that has the lease writes to it. A write from elsewhere in
 * the process makes the session forget the memory. Thread-safe.
 */
final class RunSession {

    private static final Map<Key, RunSession> SESSIONS = new ConcurrentHashMap<>();
    private static final ThreadLocal<@Nullable RunSession> PRESENT = new ThreadLocal<>();

    private record Key(DataSource dataSource, long epoch) {}

    final Lease lease;

    private final DataSource dataSource;
    /** The stored memories by their keys. */
    private final Map<String, StoredMemory> memories = new ConcurrentHashMap<>();

    private volatile boolean asked;

    private RunSession(DataSource dataSource, Lease lease) {
        this.dataSource = dataSource;
        this.lease = lease;
    }

    /** The run has its lease. */
    static void begin(DataSource dataSource, Lease lease) {
        SESSIONS.put(new Key(dataSource, lease.epoch()), new RunSession(dataSource, lease));
    }

    /** The run has its lease no more. */
    static void end(DataSource dataSource, Lease lease) {
        SESSIONS.remove(new Key(dataSource, lease.epoch()));
    }

    /** The session of a lease; one that keeps nothing if the lease was not acquired here, or was given back. */
    static RunSession of(DataSource dataSource, Lease lease) {
        RunSession session = SESSIONS.get(new Key(dataSource, lease.epoch()));
        return session == null ? new RunSession(dataSource, lease) : session;
    }

    /** The session that the current thread works in, if it is of that data source. */
    static Optional<RunSession> present(DataSource dataSource) {
        RunSession present = PRESENT.get();
        return present == null || present.dataSource != dataSource ? Optional.empty() : Optional.of(present);
    }

    /** Makes the sessions of a data source forget a memory. */
    static void forget(DataSource dataSource, String memoryKey) {
        for (RunSession session : SESSIONS.values()) {
            if (session.dataSource == dataSource) {
                session.memories.remove(memoryKey);
            }
        }
    }

    void within(Runnable work) {
        RunSession before = PRESENT.get();
        PRESENT.set(this);
        try {
            work.run();
        } finally {
            PRESENT.set(before);
        }
    }

    /** Says whether a memory was asked for. */
    boolean isAsked() {
        return asked;
    }

    StoredMemory memory(String key, Supplier<StoredMemory> stored) {
        asked = true;
        StoredMemory known = memories.get(key);
        if (known == null) {
            known = stored.get();
            memories.put(key, known);
        }
        return known;
    }

    /** The memory, if it was read or written here. */
    Optional<StoredMemory> known(String key) {
        return Optional.ofNullable(memories.get(key));
    }

    void remembers(String key, StoredMemory written) {
        memories.put(key, written);
    }
}
