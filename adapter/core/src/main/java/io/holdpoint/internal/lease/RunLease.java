package io.holdpoint.internal.lease;

import io.holdpoint.store.Lease;
import io.holdpoint.store.LeaseLostException;
import io.holdpoint.store.Store;
import java.time.Clock;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A run's right to write, as long as the run lives. The store checks it with everything that it writes; what is written
 * elsewhere has to ask before. Thread-safe.
 */
public final class RunLease {

    private static final Logger LOG = LoggerFactory.getLogger(RunLease.class);

    private final Store store;
    private final Lease lease;
    private final Clock clock;
    private final Duration duration;
    private final Heartbeat heartbeat;
    private boolean lost;
    private boolean released;
    private Runnable whenLost = () -> {};
    private Runnable whenCancelled = () -> {};

    private RunLease(Store store, Lease lease, Clock clock, Duration duration, Heartbeat heartbeat) {
        this.store = store;
        this.lease = lease;
        this.clock = clock;
        this.duration = duration;
        this.heartbeat = heartbeat;
    }

    /** A lease that is kept alive until it is released. */
    public static RunLease keepAlive(Store store, Lease lease, Clock clock, Duration duration, Heartbeat heartbeat) {
        RunLease kept = new RunLease(store, lease, clock, duration, heartbeat);
        heartbeat.add(kept);
        return kept;
    }

    public String threadId() {
        return lease.threadId();
    }

    public String runId() {
        return lease.runId();
    }

    /**
     * What to do when a beat finds out that another run has taken over; at once if that is known already.
     *
     * @param action replaces the one before; called on a thread of the heartbeat, so it must not block
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
     * What to do when a beat finds out that somebody has asked the run to stop, perhaps on another node.
     *
     * @param action replaces the one before; called on a thread of the heartbeat, so it must not block; perhaps at every beat
     */
    public synchronized void whenCancelled(Runnable action) {
        whenCancelled = action;
    }

    /**
     * Makes sure, at the store, that the run may still write, and goes on being so for the duration of a lease.
     *
     * @throws LeaseLostException if another run has taken over
     */
    public void require() {
        if (isLost() || !renew()) {
            throw lostException();
        }
    }

    public LeaseLostException lostException() {
        return new LeaseLostException(lease + " was lost: another run has taken over");
    }

    public synchronized boolean isLost() {
        return lost;
    }

    private boolean renew() {
        if (store.renew(lease, clock.instant().plus(duration))) {
            return true;
        }
        synchronized (this) {
            lost |= !released;
        }
        return false;
    }

    /** A store that does not answer is asked again at the next beat; the lease lives three of them. */
    public void beat() {
        try {
            if (renew()) {
                if (store.isCancelRequested(lease)) {
                    onCancel().run();
                }
            } else if (isLost()) {
                heartbeat.remove(this);
                LOG.error("{} was lost: another run has taken over", lease);
                action().run();
            }
        } catch (RuntimeException e) {
            LOG.warn("{} could not be looked after; that is tried again if it is still needed", lease, e);
        }
    }

    private synchronized Runnable action() {
        return whenLost;
    }

    private synchronized Runnable onCancel() {
        return whenCancelled;
    }

    /** If the lease cannot be given back, it ends by itself. */
    public void release() {
        synchronized (this) {
            released = true;
        }
        heartbeat.remove(this);
        try {
            store.release(lease);
        } catch (RuntimeException e) {
            LOG.warn("{} could not be given back; it ends by itself", lease, e);
        }
    }
}
