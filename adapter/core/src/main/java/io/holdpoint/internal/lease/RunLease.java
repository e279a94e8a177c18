package io.holdpoint.internal.lease;

import io.holdpoint.store.HaltedException;
import io.holdpoint.store.LeaseLostException;
import io.holdpoint.store.Store;
import io.holdpoint.store.Store.Lease;
import io.holdpoint.store.Store.Renewal;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The lease of a run, kept alive by the heartbeat until it is released. The store checks it with every write of its own;
 * whatever is written elsewhere needs {@link #require} before. Thread-safe.
 */
public final class RunLease {

    private static final Logger LOG = LoggerFactory.getLogger(RunLease.class);

    public final String threadId;
    public final String runId;

    private final Store store;
    private final Lease lease;
    private final Clock clock;
    private final Duration duration;
    private final Heartbeat heartbeat;
    private volatile Optional<RunLease> outer = Optional.empty();
    private volatile boolean keepsMemory;
    private volatile boolean given;
    private boolean lost;
    private boolean released;
    private volatile Runnable whenLost = () -> {};
    private volatile Consumer<Renewal> whenStopped = renewal -> {};

    private RunLease(Store store, Lease lease, Clock clock, Duration duration, Heartbeat heartbeat) {
        this.store = store;
        this.lease = lease;
        this.threadId = lease.threadId();
        this.runId = lease.runId();
        this.clock = clock;
        this.duration = duration;
        this.heartbeat = heartbeat;
    }

    public static RunLease keepAlive(Store store, Lease lease, Clock clock, Duration duration, Heartbeat heartbeat) {
        RunLease kept = new RunLease(store, lease, clock, duration, heartbeat);
        heartbeat.add(kept);
        return kept;
    }

    /**
     * Sets the action for the moment when a renewal finds that another run has the thread; calls it at once if that is known. It
     * replaces the action before, and must not block the heartbeat's thread.
     */
    public void whenLost(Runnable action) {
        synchronized (this) {
            if (!lost) {
                whenLost = action;
                return;
            }
        }
        action.run();
    }

    /**
     * Sets the action for renewals that find a request to cancel the run, which may come from another node, or a halt of the agent.
     * It may be called at every renewal, and must not block the heartbeat's thread.
     */
    public void whenStopped(Consumer<Renewal> action) {
        whenStopped = action;
    }

    /** Renews the lease at the store, so that the run may write for the duration of a lease; throws if it is lost. */
    public Renewal require() {
        Renewal renewal = renewed();
        if (renewal == Renewal.LOST) {
            throw lostException();
        }
        return renewal;
    }

    /** Does the same for a body that no commit claims; throws also if the agent is halted. {@code false} if the run was cancelled. */
    public boolean requireForBody() {
        requireOuter();
        Renewal renewal = require();
        if (renewal == Renewal.HALTED) {
            throw new HaltedException(store.halted().map(Store.Halt::agent).orElse(Store.ALL_AGENTS));
        }
        if (renewal == Renewal.CANCEL_REQUESTED) {
            whenStopped.accept(renewal);
        }
        return renewal == Renewal.RENEWED;
    }

    /** Names the lease of the run in whose tool this one works. */
    public void worksIn(RunLease run) {
        outer = Optional.of(run);
    }

    /** Throws if an agent is halted in whose tool this run works; no commit of this run looks for that. */
    public void requireOuter() {
        if (outer.isPresent()) {
            RunLease run = outer.get();
            run.store.halted().ifPresent(halt -> {
                throw new HaltedException(halt.agent());
            });
            run.requireOuter();
        }
    }

    /** Reads what lies beside the store. */
    public void readsMemory(Runnable work) {
        keepsMemory = store.withMemory(lease, work);
    }

    /** Tells whether what was read lies in the store's own database, so that its writes go with the commits of the run. */
    public boolean keepsMemory() {
        return keepsMemory;
    }

    /** Writes what was read beside the store. Unless the store checks the lease, it is checked right before. */
    public void writesMemory(Runnable work) {
        if (!keepsMemory) {
            require();
        } else if (isLost()) {
            throw lostException();
        }
        store.withMemory(lease, work);
    }

    public LeaseLostException lostException() {
        return new LeaseLostException(lease + " was lost: another run has taken over");
    }

    public synchronized boolean isLost() {
        return lost;
    }

    private Renewal renewed() {
        Renewal renewal = store.renew(lease, clock.instant().plus(duration));
        synchronized (this) {
            lost |= renewal == Renewal.LOST && !released;
        }
        return renewal;
    }

    /** Renews the lease. A store that does not answer is asked again at the next renewal; a lease lasts for three of them. */
    void renew() {
        try {
            Renewal renewal = renewed();
            if (renewal == Renewal.CANCEL_REQUESTED || renewal == Renewal.HALTED) {
                whenStopped.accept(renewal);
            } else if (renewal == Renewal.LOST && isLost()) {
                heartbeat.remove(this);
                LOG.error("{} was lost: another run has taken over", lease);
                whenLost.run();
            }
        } catch (Throwable e) { // a missing class too, and not every store is written in Java: other leases are due
            LOG.warn("{} could not be renewed; the next renewal tries again", lease, e);
        }
    }

    /** Gives the lease back by a commit. If that fails, the lease is to be released. */
    public void releasedBy(Runnable commit) {
        endsBeating();
        commit.run();
        given = true;
    }

    private void endsBeating() {
        synchronized (this) {
            released = true;
        }
        heartbeat.remove(this);
    }

    /** Gives the lease back, unless a commit has. If the store fails, the lease ends by itself. */
    public void release() {
        gives(() -> store.release(lease));
    }

    /** Lets the lease {@link #abandon end} without giving it back, unless a commit has. */
    public void abandon() {
        gives(() -> abandon(store, lease));
    }

    /**
     * Ends a lease as that of a run that has died, so that what is unfinished is found by it; another run may take the thread at
     * once, whatever its clock says.
     */
    public static void abandon(Store store, Lease lease) {
        store.renew(lease, Instant.EPOCH);
    }

    private void gives(Runnable how) {
        endsBeating();
        if (given) {
            return;
        }
        try {
            how.run();
        } catch (Throwable e) { // a missing class too: the run is to end
            LOG.warn("{} could not be given back; it ends by itself", lease, e);
        }
    }
}
