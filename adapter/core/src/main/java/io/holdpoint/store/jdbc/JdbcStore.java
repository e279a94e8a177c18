package io.holdpoint.store.jdbc;

import io.holdpoint.agui.Message;
import io.holdpoint.store.AuditEvent;
import io.holdpoint.store.Batch;
import io.holdpoint.store.Commit;
import io.holdpoint.store.Grant;
import io.holdpoint.store.Store;
import io.holdpoint.store.Store.Abandoned;
import io.holdpoint.store.Store.Lease;
import io.holdpoint.store.Store.OpenBatch;
import io.holdpoint.store.Store.ThreadHead;
import io.holdpoint.store.Store.ThreadRecord;
import io.holdpoint.store.StoreException;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import javax.sql.DataSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps everything in a SQLite file, for the processes of one machine, or in a PostgreSQL database, for any number of nodes. All tables
 * are named {@code holdpoint_...}. Thread-safe, as long as the data source is; use one with a pool.
 *
 * <p>A connection is taken for each call and given back as it came; the store works with {@code READ COMMITTED}, the default
 * of both databases, and with anything stricter. A failure of the database is a {@link StoreException} that names what was to
 * be done. Times are kept in microseconds. Ids may hold anything and be of any length.
 *
 * <p>A node that stops in the middle of a transaction does not stop the others: a lock is waited for a few seconds, and
 * PostgreSQL ends a transaction of ours that has been idle for 20 seconds.
 *
 * <p>On SQLite ({@code org.xerial:sqlite-jdbc}, {@code jdbc:sqlite:holdpoint.db}) the store switches the file to a write-ahead
 * log and requires {@code synchronous=FULL}, which is the default, so that what was committed survives a killed process and a
 * power failure. SQLite has one writer at a time: the writers of a process queue, those of several processes wait for
 * {@code busy_timeout} (3 seconds by default). The file must be on a local disk, not on a network file system; the files
 * {@code -wal} and {@code -shm} beside it belong to it, so make a backup by {@code VACUUM INTO 'backup.db'}. The driver
 * extracts a native library, see {@link SqliteLibrary}.
 *
 * <p>The table {@code holdpoint_audit} is for people with SQL too; the library never changes anything in it, and removes from it by
 * {@link #purgeAudit} only.
 */
public final class JdbcStore implements Store {

    private static final Logger LOG = LoggerFactory.getLogger(JdbcStore.class);

    private final Database database;

    /** The places behind which each agent has audit events, so that those of others are not read again and again. */
    private final Map<String, Long> auditsFrom = new ConcurrentHashMap<>();

    private JdbcStore(Database database) {
        this.database = database;
    }

    /**
     * A store, whose tables are created if the database has none. Several nodes may do so at once.
     *
     * @param dataSource gives connections; remains the caller's to close
     * @return the store
     * @throws StoreException if the database is not SQLite or PostgreSQL, cannot be reached, does not allow tables to be created,
     *     or has those of a newer version of this library
     */
    public static JdbcStore create(DataSource dataSource) {
        return new JdbcStore(Schema.create(dataSource));
    }

    /**
     * A store on tables that are there already; needs no right to create any. They are written down in this package's
     * resources {@code schema-sqlite.sql} and {@code schema-postgresql.sql}.
     *
     * @param dataSource gives connections; remains the caller's to close
     * @return the store
     * @throws StoreException if the database is not SQLite or PostgreSQL, cannot be reached, or has no tables or those of another
     *     version of this library
     */
    public static JdbcStore open(DataSource dataSource) {
        return new JdbcStore(Schema.open(dataSource));
    }

    @Override
    public Optional<Lease> acquire(String threadId, String runId, String caller, Instant now, Instant until) {
        Optional<Lease> lease = database.transaction(
                "take a thread's lease",
                connection -> Leases.acquire(connection, database.dialect(), threadId, runId, caller, now, until));
        lease.ifPresent(taken -> RunSession.begin(database.dataSource(), taken));
        return lease;
    }

    @Override
    public Optional<Acquired> acquireOwn(String threadId, String runId, String caller, Instant now, Instant until) {
        record Begun(Acquired acquired, Optional<StoredMemory> memory) {}
        Optional<Begun> begun;
        try {
            begun = database.transaction("take a thread's lease", connection -> {
                Lease wanted = new Lease(threadId, runId, caller, 0);
                Optional<Lease> lease = Leases.acquireOwn(connection, database.dialect(), wanted, now, until);
                if (lease.isEmpty()) {
                    return Optional.empty();
                }
                Threads.Beginning read = Threads.begin(connection, threadId);
                if (read.thread().isPresent() && !read.thread().get().owner().equals(caller)) { // started in between
                    Leases.release(connection, database.dialect(), lease.get());
                    return Optional.empty();
                }
                return Optional.of(new Begun(new Acquired(lease.get(), read.thread()), read.memory()));
            });
        } catch (StoreException e) {
            if (isDamaged(e)) {
                return Store.super.acquireOwn(threadId, runId, caller, now, until); // reads what can be read
            }
            throw e;
        }
        if (begun.isEmpty()) {
            return Optional.empty();
        }
        Acquired acquired = begun.get().acquired();
        RunSession session = RunSession.begin(database.dataSource(), acquired.lease());
        begun.get().memory().ifPresent(memory -> session.knows(StoredText.key(threadId), memory));
        return Optional.of(acquired);
    }

    @Override
    public boolean renew(Lease lease, Instant until) {
        boolean renewed = database.transaction(
                "renew a lease", connection -> Leases.renew(connection, database.dialect(), lease, until));
        if (!renewed) {
            RunSession.end(database.dataSource(), lease);
        }
        return renewed;
    }

    @Override
    public void release(Lease lease) {
        RunSession session = RunSession.of(database.dataSource(), lease);
        var memories = session.unwritten();
        RunSession.end(database.dataSource(), lease);
        database.write("release a lease", connection -> {
            if (Leases.release(connection, database.dialect(), lease)) {
                session.write(connection, memories);
            }
        });
    }

    @Override
    public boolean requestCancel(String threadId, Instant now) {
        return database.transaction(
                "ask a run to stop", connection -> Leases.requestCancel(connection, database.dialect(), threadId, now));
    }

    @Override
    public boolean isCancelRequested(Lease lease) {
        return database.statement(
                "look whether a run is to stop", connection -> Leases.isCancelRequested(connection, lease));
    }

    @Override
    public Optional<Lease> active(String threadId, Instant now) {
        return database.statement("read a lease", connection -> Leases.active(connection, threadId, now));
    }

    @Override
    public Optional<ThreadRecord> find(String threadId) {
        try {
            return database.statement("read a thread", connection -> Threads.find(connection, threadId, true));
        } catch (StoreException e) {
            if (!isDamaged(e) || isStateReadable(threadId)) {
                throw e;
            }
            LOG.error("The state of thread {} cannot be read and counts as absent", StoredText.write(threadId), e);
            return database.statement("read a thread", connection -> Threads.find(connection, threadId, false));
        }
    }

    private boolean isStateReadable(String threadId) {
        try {
            database.statement("read a state", connection -> Threads.readState(connection, threadId));
            return true;
        } catch (StoreException e) {
            return !isDamaged(e);
        }
    }

    private static boolean isDamaged(StoreException e) {
        return e.getCause() instanceof SQLException cause && SqlStates.isDamaged(cause);
    }

    @Override
    public Optional<ThreadHead> head(String threadId) {
        return database.statement("look for a thread", connection -> Threads.head(connection, threadId));
    }

    @Override
    public void discard(Lease lease, List<AuditEvent> events) {
        write("discard what a thread is at", lease, connection -> {
            Leases.lock(connection, database.dialect(), lease);
            Batches.discard(connection, lease.threadId());
            Threads.discard(connection, lease.threadId());
            AuditRows.append(connection, events);
        });
    }

    @Override
    public List<Message> transcript(String threadId) {
        return database.statement("read a transcript", connection -> Messages.transcript(connection, threadId));
    }

    @Override
    public int countMessages(String threadId) {
        return database.statement("count messages", connection -> Messages.count(connection, threadId));
    }

    @Override
    public List<Message> transcriptAfter(String threadId, String messageId) {
        return database.statement(
                "read the end of a transcript", connection -> Messages.after(connection, threadId, messageId));
    }

    @Override
    public List<Message> cutMessages(String threadId) {
        return database.statement(
                "read what was cut off a transcript", connection -> Messages.cut(connection, threadId));
    }

    @Override
    public boolean hasRun(String threadId, String runId) {
        return database.statement("look for a run", connection -> Messages.hasRun(connection, threadId, runId));
    }

    @Override
    public Map<String, Boolean> known(String threadId, Collection<String> messageIds) {
        if (messageIds.isEmpty()) {
            return Map.of();
        }
        return database.statement("look for messages", connection -> Messages.known(connection, threadId, messageIds));
    }

    @Override
    public boolean hasToolCall(String threadId, String toolCallId) {
        return database.statement(
                "look for a tool call", connection -> Batches.hasToolCall(connection, threadId, toolCallId));
    }

    @Override
    public Optional<Batch> findByInterrupt(String threadId, String interruptId) {
        return database.statement(
                "read a batch", connection -> Batches.findByInterrupt(connection, threadId, interruptId));
    }

    @Override
    public boolean hasInterrupt(String threadId, String interruptId) {
        return database.statement(
                "look for an interrupt", connection -> Batches.hasInterrupt(connection, threadId, interruptId));
    }

    @Override
    public int countInterrupts(String threadId, int limit) {
        return database.statement(
                "count interrupts", connection -> Batches.countInterrupts(connection, threadId, limit));
    }

    @Override
    public void commit(Lease lease, Commit commit, Instant now) {
        write("write to a thread", lease, connection -> {
            boolean locked = Threads.write(connection, database.dialect(), lease, commit, now);
            Batches.write(connection, database.dialect(), lease, commit.batches(), now, locked);
            if (commit.cut().isPresent()) {
                Messages.cut(connection, lease, commit.cut().get());
            }
            Messages.append(connection, lease, commit.messages());
            Grants.append(connection, lease.threadId(), commit.grants());
            Grants.require(connection, database.dialect(), lease.threadId(), commit.batches());
            AuditRows.append(connection, commit.audit());
            if (commit.releases()) {
                Leases.release(connection, database.dialect(), lease);
            }
        });
        if (commit.releases()) {
            RunSession.end(database.dataSource(), lease);
        }
    }

    /** A write of a run, with what its memories have left for it. The action locks the lease. */
    private void write(String operation, Lease lease, Database.Action action) {
        RunSession session = RunSession.of(database.dataSource(), lease);
        var memories = session.unwritten();
        try {
            session.written(memories, database.transaction(operation, connection -> {
                action.run(connection);
                return session.write(connection, memories);
            }));
        } catch (RuntimeException | Error e) { // it may have been written nevertheless
            session.forgets();
            throw e;
        }
    }

    /** For memories of a {@link JdbcChatMemoryStore} that has the same data source. */
    @Override
    public boolean readBeside(Lease lease, Runnable work) {
        RunSession session = RunSession.of(database.dataSource(), lease);
        session.within(work);
        return session.isAsked();
    }

    /** For memories of a {@link JdbcChatMemoryStore} that has the same data source. */
    @Override
    public void writeBeside(Lease lease, Runnable work) {
        RunSession.of(database.dataSource(), lease).within(work);
    }

    @Override
    public List<Abandoned> abandoned(String agent, Abandoned after, Instant before, int limit) {
        return database.statement(
                "look for abandoned batches", connection -> Batches.abandoned(connection, agent, after, before, limit));
    }

    @Override
    public List<OpenBatch> open(String agent, Optional<String> owner, OpenBatch.Position after, int limit) {
        return database.statement(
                "look for open questions", connection -> Batches.open(connection, agent, owner, after, limit));
    }

    @Override
    public int purge(String agent, Instant before, int limit) {
        return database.transaction("purge batches", connection -> {
            database.dialect().setLimits(connection);
            return Batches.purge(connection, agent, before, limit);
        });
    }

    @Override
    public List<Abandoned> idle(String agent, Abandoned after, Instant before, int limit) {
        return database.statement(
                "look for idle threads", connection -> Threads.idle(connection, agent, after, before, limit));
    }

    @Override
    public void purgeThread(Lease lease) {
        write("purge a thread", lease, connection -> {
            Leases.lock(connection, database.dialect(), lease);
            Threads.purge(connection, lease.threadId());
        });
    }

    @Override
    public int purgeAudit(String agent, Instant before, int limit) {
        long after = auditsFrom.getOrDefault(agent, Long.MIN_VALUE);
        List<AuditRows.Place> oldest = database.statement(
                "look for old audit events", connection -> AuditRows.oldest(connection, agent, after, limit));
        List<AuditRows.Place> old = oldest.stream()
                .takeWhile(event -> event.at() < Sql.micros(before))
                .toList();
        if (!old.isEmpty()) {
            database.write("purge audit trails", connection -> {
                database.dialect().setLimits(connection);
                AuditRows.remove(connection, old);
            });
        }
        if (old.size() < oldest.size()) {
            auditsFrom.put(agent, oldest.get(old.size()).id() - AuditRows.MAX_UNCOMMITTED);
        }
        return old.size();
    }

    @Override
    public List<Grant> grants(String threadId) {
        return database.statement("read remembered decisions", connection -> Grants.list(connection, threadId));
    }

    @Override
    public boolean revokeGrant(String threadId, String grantId, AuditEvent event) {
        return database.transaction("revoke a remembered decision", connection -> {
            database.dialect().setLimits(connection);
            return Grants.revoke(connection, threadId, grantId, event);
        });
    }

    @Override
    public int purgeGrants(String agent, Instant before, int limit) {
        return database.transaction("purge remembered decisions", connection -> {
            database.dialect().setLimits(connection);
            return Grants.purge(connection, agent, before, limit);
        });
    }

    @Override
    public List<AuditEvent> audit(List<AuditEvent> events) {
        return database.transaction("write to an audit trail", connection -> {
            database.dialect().setLimits(connection);
            return AuditRows.appendNew(connection, events);
        });
    }

    @Override
    public List<AuditEvent> auditTrail(String threadId, long offset, int limit) {
        return database.statement(
                "read an audit trail", connection -> AuditRows.read(connection, threadId, offset, limit));
    }

    /**
     * {@inheritDoc}
     *
     * <p>Reads one snapshot, page by page, and locks nobody out. On SQLite the file is checked too ({@code PRAGMA
     * integrity_check}).
     */
    @Override
    public List<String> check() {
        return database.snapshot(
                "check the tables", connection -> new Consistency(connection, database.dialect()).check());
    }
}
