package io.holdpoint.internal.journal;

import com.fasterxml.jackson.databind.JsonNode;
import io.holdpoint.agui.Message;
import io.holdpoint.internal.LogText;
import io.holdpoint.internal.events.SharedState;
import io.holdpoint.store.AuditEvent;
import io.holdpoint.store.Batch;
import io.holdpoint.store.Call;
import io.holdpoint.store.Change;
import io.holdpoint.store.Commit;
import io.holdpoint.store.DailyTokens;
import io.holdpoint.store.LeaseLostException;
import io.holdpoint.store.Store;
import io.holdpoint.store.Store.Lease;
import io.holdpoint.store.Store.ThreadRecord;
import io.holdpoint.store.StoreConflictException;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The only writer of a run: what the run decides, the thread's state and the audit events about both are one commit.
 * Observers are told about it when it is stored. A commit that fails takes along what waited for it. Thread-safe.
 */
public final class Journal {

    private static final Logger LOG = LoggerFactory.getLogger(Journal.class);

    private final Store store;
    private final Lease lease;
    private final Clock clock;
    private final SharedState state;

    public final Audit audit;

    private final RunWatch watch;
    /** Commits are written one after another: an older state must not follow a newer one. */
    private final ReentrantLock order = new ReentrantLock();

    private Commit waiting = Commit.empty();
    private volatile boolean hasCalls;
    /** The store may have a call that a run has started and not settled. */
    private boolean hasClaims;
    /** The transcript as far as this run has written it; empty if there is more, or if a commit has failed. */
    private Optional<List<Message>> written;

    public Journal(
            Store store,
            Lease lease,
            Clock clock,
            SharedState state,
            Audit audit,
            RunWatch watch,
            Optional<ThreadRecord> found) {
        this.store = store;
        this.lease = lease;
        this.clock = clock;
        this.state = state;
        this.audit = audit;
        this.watch = watch;
        this.hasCalls = found.isPresent();
        this.hasClaims = hasClaims(found);
        this.written = found.isPresent() ? Optional.empty() : Optional.of(List.of());
    }

    /** Checks whether the thread may have tool calls. */
    public boolean mayHaveCalls() {
        return hasCalls;
    }

    /** Writes a commit, with what waits and the state if it has changed. */
    public void commit(Commit commit) {
        order.lock();
        try {
            Commit complete = waiting.and(commit);
            waiting = Commit.empty();
            Optional<JsonNode> next = state.unstored();
            if (next.isPresent()) {
                write(complete.state(next.get()));
                state.stored(next.get());
            } else {
                write(complete);
            }
        } finally {
            order.unlock();
        }
    }

    /** Writes a commit together with the next one, or when the run ends. */
    public void later(Commit commit) {
        order.lock();
        try {
            waiting = waiting.and(commit);
        } finally {
            order.unlock();
        }
    }

    /** Checks whether something waits to be written. */
    public boolean isBehind() {
        order.lock();
        try {
            return !waiting.isEmpty();
        } finally {
            order.unlock();
        }
    }

    /**
     * Checks whether the run leaves a call of unknown outcome about which nobody is asked: one that it found, one whose result the store
     * has refused, or one in which an agent works, which may ask.
     */
    public boolean leavesClaims() {
        order.lock();
        try {
            return leavesClaims(waiting, hasClaims);
        } finally {
            order.unlock();
        }
    }

    /** The last batch of a commit tells; without one it stays as it was. */
    private static boolean leavesClaims(Commit commit, boolean before) {
        int batches = commit.batches().size();
        return batches == 0
                ? before
                : !commit.batches().get(batches - 1).claimed().isEmpty();
    }

    /** Checks whether a thread on which no run is active has a call of unknown outcome about which nobody is asked. */
    public static boolean hasClaims(Optional<ThreadRecord> thread) {
        return thread.isPresent()
                && thread.get().batch().isPresent()
                && !thread.get().batch().get().claimed().isEmpty();
    }

    /** The tokens that are not written yet. */
    public long unspent() {
        order.lock();
        try {
            return DailyTokens.in(waiting);
        } finally {
            order.unlock();
        }
    }

    /** Writes what waits. */
    public void catchUp() {
        if (isBehind()) {
            commit(Commit.empty());
        }
    }

    /** The thread's transcript, with what waits to be written. */
    public List<Message> transcript() {
        order.lock();
        try {
            return with(written.isPresent() ? written.get() : store.transcript(lease.threadId()), waiting.messages());
        } finally {
            order.unlock();
        }
    }

    private void write(Commit complete) {
        Instant now = clock.instant();
        List<AuditEvent> events = audit.of(complete, now);
        Optional<List<Message>> before = written;
        written = Optional.empty();
        if (!complete.batches().isEmpty()) {
            hasCalls = true;
        }
        boolean had = hasClaims;
        for (Batch batch : complete.batches()) {
            hasClaims |= !batch.claimed().isEmpty(); // also if it fails: it may be stored
        }
        try {
            store(complete.audit(events), now);
        } catch (LeaseLostException e) {
            noteLoss(events, e);
            throw e;
        }
        hasClaims = leavesClaims(complete, had);
        written = before.isPresent() ? Optional.of(with(before.get(), complete.messages())) : Optional.empty();
        audit.tell(events);
        for (Batch batch : complete.batches()) {
            watch.stored(batch);
        }
    }

    /**
     * Writes to the store, and once more if the store fails and only this run knows what came of a body. The store may have it after the
     * failure: nobody else may write then.
     */
    private void store(Commit complete, Instant now) {
        try {
            store.commit(lease, complete, now);
        } catch (LeaseLostException | StoreConflictException e) {
            throw e;
        } catch (Throwable e) { // a missing class too, and not every store is written in Java
            Optional<Batch> batch = ofBody(complete);
            if (batch.isEmpty()) {
                throw e;
            }
            LOG.debug(
                    "What came of a call could not be stored for {}; it is tried once more", lease, LogText.silent(e));
            try {
                store.commit(lease, complete, now);
            } catch (StoreConflictException conflict) {
                Batch last = batch.get();
                if (store.findBatch(lease.threadId(), Store.By.BATCH, last.id())
                        .filter(stored -> stored.version() == last.version())
                        .isEmpty()) {
                    throw conflict;
                }
            }
        }
    }

    /**
     * The batch, as a commit leaves it, if that says what came of a body: a result, or a question. The last commit of a run does not: it
     * asks about bodies of which nobody knows, and if it is stored, the lease is gone at the second try.
     */
    private static Optional<Batch> ofBody(Commit commit) {
        if (commit.releases()) {
            return Optional.empty();
        }
        Optional<Batch> last = Optional.empty();
        boolean isOfBody = false;
        for (Batch batch : commit.batches()) {
            last = Optional.of(batch);
            for (Change change : batch.changes()) {
                isOfBody |= change instanceof Change.Settled settled && settled.before() == Call.State.CLAIMED
                        || change instanceof Change.Asked asked
                                && !asked.call().attempts().isEmpty();
            }
        }
        return isOfBody ? last : Optional.empty();
    }

    private static List<Message> with(List<Message> before, List<Message> more) {
        if (more.isEmpty()) {
            return before;
        }
        Map<String, Message> late = new LinkedHashMap<>();
        for (Message message : more) {
            late.putIfAbsent(message.id(), message);
        }
        for (Message message : before) {
            late.remove(message.id());
        }
        List<Message> all = new ArrayList<>(before);
        all.addAll(late.values());
        return Collections.unmodifiableList(all);
    }

    private void noteLoss(List<AuditEvent> dropped, LeaseLostException lost) {
        try {
            audit.lost(dropped);
        } catch (RuntimeException unwritten) {
            lost.addSuppressed(unwritten);
        }
    }
}
