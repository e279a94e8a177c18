package io.holdpoint.store.jdbc;

import io.holdpoint.agui.Message;
import io.holdpoint.store.AuditEvent;
import io.holdpoint.store.Batch;
import io.holdpoint.store.Commit;
import io.holdpoint.store.Fact;
import io.holdpoint.store.FeedPlace;
import io.holdpoint.store.HaltedException;
import io.holdpoint.store.Store;
import io.holdpoint.store.StoreException;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
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
 * extracts a native library; the store removes the copies of killed processes, see {@link SqliteLibrary}.
 *
 * <p>The table {@code holdpoint_audit} is for people with SQL too; the library never changes anything in it, and removes from it by
 * {@link #purge} only.
 */
public final class JdbcStore implements Store {

    private static final Logger LOG = LoggerFactory.getLogger(JdbcStore.class);

    private final Database database;

    private final FeedRows.Horizon horizon;

    private JdbcStore(Database database, FeedRows.Horizon horizon) {
        this.database = database;
        this.horizon = horizon;
    }

    /**
     * A store, whose tables are created if the database has none. Several nodes may do so at once.
     *
     * @param dataSource gives connections; remains the caller's to close
     * @throws StoreException if the database is not SQLite or PostgreSQL, cannot be reached, does not allow tables to be created,
     *     or has those of a newer version of this library
     */
    public static JdbcStore create(DataSource dataSource) {
        return new JdbcStore(Schema.create(dataSource), new FeedRows.Horizon());
    }

    /**
     * A store on tables that are there already; needs no right to create any. They are written down in this package's
     * resources {@code schema-sqlite.sql} and {@code schema-postgresql.sql}.
     *
     * @param dataSource gives connections; remains the caller's to close
     * @throws StoreException if the database is not SQLite or PostgreSQL, cannot be reached, or has no tables or those of another
     *     version of this library
     */
    public static JdbcStore open(DataSource dataSource) {
        return new JdbcStore(Schema.open(dataSource), new FeedRows.Horizon());
    }

    @Override
    public JdbcStore of(String agent) {
        return new JdbcStore(database.of(agent), horizon);
    }

    @Override
    public Optional<Lease> acquire(String threadId, String runId, String caller, Instant now, Instant until) {
        Lease wanted = new Lease(threadId, runId, caller, 0);
        Optional<Lease> lease = take(Leases.Whose.ANYBODYS, wanted, now, until).lease();
        lease.ifPresent(taken -> RunSession.begin(database.dataSource(), taken));
        return lease;
    }

    @Override
    public Optional<Acquired> acquireOwn(String threadId, String runId, String caller, Instant now, Instant until) {
        Optional<Lease> lease = Optional.empty();
        Threads.ThreadAndMemory read;
        try {
            Leases.Taken taken = take(Leases.Whose.OWN, new Lease(threadId, runId, caller, 0), now, until);
            lease = taken.lease();
            read = taken.thread().orElseThrow();
        } catch (RuntimeException e) {
            lease.ifPresent(unread -> renew(unread, Instant.EPOCH));
            if (e instanceof StoreException unread && isDamaged(unread)) {
                return Store.super.acquireOwn(threadId, runId, caller, now, until); // reads what can be read
            }
            throw e;
        }
        if (lease.isEmpty() && read.halted()) {
            throw new HaltedException(halted().map(Halt::agent).orElse(ALL_AGENTS));
        } else if (lease.isPresent() && !read.isOwn(caller)) { // started in between
            release(lease.get());
            return Optional.empty();
        }
        return lease.map(own -> {
            RunSession session = RunSession.begin(database.dataSource(), own);
            read.memory().ifPresent(memory -> session.remember(read.memoryKey(), memory));
            return new Acquired(own, read.thread());
        });
    }

    /** Two short transactions, because the first one, which does in all but a few cases, is sent with its commit. */
    private Leases.Taken take(Leases.Whose whose, Lease wanted, Instant now, Instant until) {
        String operation = "take a thread's lease";
        Leases.Taken taken = database.transaction(operation, sql -> new Leases(sql).take(whose, wanted, until));
        return taken.isOccupied()
                ? database.transaction(operation, sql -> new Leases(sql).takeOver(whose, wanted, now, until))
                        .orElse(taken)
                : taken;
    }

    @Override
    public Renewal renew(Lease lease, Instant until) {
        if (until.equals(Instant.EPOCH)) {
            RunSession.end(database.dataSource(), lease);
        }
        Renewal renewal = database.transaction("renew a lease", sql -> new Leases(sql).renew(lease, until));
        if (renewal == Renewal.LOST) {
            RunSession.end(database.dataSource(), lease);
        }
        return renewal;
    }

    @Override
    public void release(Lease lease) {
        RunSession session = RunSession.of(database.dataSource(), lease);
        var memories = session.unwritten();
        RunSession.end(database.dataSource(), lease);
        database.write("release a lease", sql -> {
            if (new Leases(sql).release(lease)) {
                session.write(sql, memories);
            }
        });
    }

    @Override
    public boolean requestCancel(String threadId, Instant now) {
        return database.transaction("ask a run to stop", sql -> new Leases(sql).requestCancel(threadId, now));
    }

    @Override
    public Optional<Active> active(String threadId, Instant now) {
        return database.statement("read a lease", sql -> new Leases(sql).active(threadId, now));
    }

    @Override
    public void say(Lease lease, Message.Assistant text) {
        database.write("write what a run says", sql -> new Leases(sql).say(lease, text));
    }

    @Override
    public Optional<ThreadRecord> find(String threadId) {
        try {
            return database.statement("read a thread", sql -> new Threads(sql).find(threadId, true));
        } catch (StoreException e) {
            if (!isDamaged(e) || isStateReadable(threadId)) {
                throw e;
            }
            LOG.error("The state of thread {} cannot be read and counts as absent", StoredText.write(threadId), e);
            return database.statement("read a thread", sql -> new Threads(sql).find(threadId, false));
        }
    }

    private boolean isStateReadable(String threadId) {
        try {
            database.statement("read a state", sql -> new Threads(sql).readState(threadId));
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
        return database.statement("look for a thread", sql -> new Threads(sql).head(threadId));
    }

    @Override
    public List<Message> transcript(String threadId, Range range) {
        return database.statement("read a transcript", sql -> new Messages(sql).transcript(threadId, range));
    }

    @Override
    public int count(Counted what, String threadId, int limit) {
        return database.statement("count what a thread has", sql -> new Threads(sql).count(what, threadId, limit));
    }

    @Override
    public boolean has(IdOf what, String threadId, String id) {
        return database.statement("look for an id", sql -> new Threads(sql).has(what, threadId, id));
    }

    @Override
    public Map<String, Boolean> known(String threadId, Collection<String> messageIds) {
        if (messageIds.isEmpty()) {
            return Map.of();
        }
        return database.statement("look for messages", sql -> new Messages(sql).known(threadId, messageIds));
    }

    @Override
    public Optional<Batch> findBatch(String threadId, By by, String id) {
        return database.statement("read a batch", sql -> new Batches(sql).find(threadId, by, id));
    }

    @Override
    public void commit(Lease lease, Commit commit, Instant now) {
        RunSession session = RunSession.of(database.dataSource(), lease);
        var memories = session.unwritten();
        try {
            session.written(memories, database.transaction("write to a thread", sql -> {
                write(sql, lease, commit, now);
                return session.write(sql, memories);
            }));
        } catch (RuntimeException | Error e) { // it may have been written nevertheless
            session.clear();
            throw e;
        }
        if (commit.releases()) {
            RunSession.end(database.dataSource(), lease);
        }
    }

    private static void write(Sql sql, Lease lease, Commit commit, Instant now) throws SQLException {
        Threads threads = new Threads(sql);
        boolean locked = threads.write(lease, commit, now);
        if (commit.turn() instanceof Commit.TurnChange.Discard discard) {
            threads.discard(lease.threadId(), discard.part());
        }
        new Batches(sql).write(lease, commit, now, locked);
        Messages messages = new Messages(sql);
        if (commit.cut().isPresent()) {
            messages.cut(lease, commit.cut().get());
        }
        messages.append(lease, commit.messages());
        Facts facts = new Facts(sql);
        facts.change(lease.threadId(), commit.facts());
        facts.use(lease.threadId(), commit.batches(), now);
        new AuditRows(sql).append(commit.audit());
        if (commit.releases()) {
            new Leases(sql).releaseLocked(lease);
        }
    }

    /** For memories of a {@link JdbcChatMemoryStore} that has the same data source. */
    @Override
    public boolean withMemory(Lease lease, Runnable work) {
        return RunSession.of(database.dataSource(), lease).within(work);
    }

    @Override
    public List<Place> threads(Wanted what, Place after, Instant before, int limit) {
        return database.statement("look for threads", sql -> new AgentRows(sql).threads(what, after, before, limit));
    }

    @Override
    public List<OpenBatch> open(Optional<String> owner, Place after, int limit) {
        return database.statement("look for open questions", sql -> new AgentRows(sql).open(owner, after, limit));
    }

    @Override
    public int purge(Old what, Instant before, int limit) {
        long done = what == Old.AUDIT_EVENT ? FeedPlace.done(this, before) : 0;
        return database.limited("purge what is old", sql -> switch (what) {
            case AUDIT_EVENT -> new AuditRows(sql).removeOldest(before, done, limit);
            case FACT -> new Facts(sql).removeEnded(before, limit);
            case BATCH -> new AgentRows(sql).removeBatches(before, limit);
        });
    }

    @Override
    public List<Fact> facts(String kind, String place) {
        return database.statement("read facts", sql -> new Facts(sql).list(kind, place));
    }

    @Override
    public List<AuditEvent> audit(Optional<Fact.Key> revoked, List<AuditEvent> events) {
        return database.limited(
                "write to an audit trail",
                sql -> revoked.isPresent() && !new Facts(sql).revoke(revoked.get())
                        ? List.of()
                        : new AuditRows(sql).appendNew(events));
    }

    @Override
    public List<AuditEvent> auditTrail(String threadId, long offset, int limit) {
        return database.statement("read an audit trail", sql -> new AuditRows(sql).read(threadId, offset, limit));
    }

    @Override
    public boolean halt(Optional<Halt> halt, List<AuditEvent> events) {
        return database.transaction(halt.isPresent() ? "halt an agent" : "end a halt", sql -> {
            Leases leases = new Leases(sql);
            boolean changed = halt.isPresent() ? leases.halt(halt.get()) : leases.endHalt();
            if (changed) {
                new AuditRows(sql).append(events);
            }
            return changed;
        });
    }

    @Override
    public Optional<Halt> halted() {
        return database.statement("read a halt", sql -> new Leases(sql).halted());
    }

    /**
     * {@inheritDoc}
     *
     * <p>On PostgreSQL a transaction that lasts, of whatever program and database of the server, holds back what is committed after it
     * has begun to write.
     */
    @Override
    public List<Fed> feed(long after, int limit, boolean complete) {
        return database.statement(
                "read audit trails on", sql -> new FeedRows(sql, horizon).read(after, limit, complete));
    }

    @Override
    public long feedEnd() {
        return database.statement("read the end of audit trails", sql -> new FeedRows(sql, horizon).end());
    }

    /**
     * {@inheritDoc}
     *
     * <p>A SQLite file is on the machine of its processes.
     */
    @Override
    public Optional<Instant> time() {
        return database.statement(
                "read the time", sql -> sql.first(sql.dialect.present(), row -> Sql.instant(row.getLong(1))));
    }

    /**
     * {@inheritDoc}
     *
     * <p>Reads one snapshot, page by page, and locks nobody out. On SQLite the file is checked too ({@code PRAGMA
     * integrity_check}).
     */
    @Override
    public List<String> check() {
        return database.snapshot("check the tables", sql -> new Consistency(sql).check());
    }
}
