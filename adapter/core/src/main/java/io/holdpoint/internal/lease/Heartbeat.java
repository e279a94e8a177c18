package io.holdpoint.internal.lease;

import java.time.Duration;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Renews the leases of an agent's active runs: all of them at every beat, three beats in the duration of a lease. A beat is
 * scheduled only while a run is active, and a run costs an entry in a map. Thread-safe.
 *
 * <p>A beat renews one lease after another. If a renewal hangs, the next beat goes on with the leases behind it on another
 * thread, so there are at most as many threads as renewals that hang, and one.
 */
public final class Heartbeat {

    private static final Logger LOG = LoggerFactory.getLogger(Heartbeat.class);

    private final Scheduler timer;
    private final Duration interval;
    private final Set<RunLease> active = ConcurrentHashMap.newKeySet();
    /** The leases that wait for their renewal or are in the middle of it. */
    private final Set<RunLease> underway = ConcurrentHashMap.newKeySet();

    private final Queue<RunLease> due = new ConcurrentLinkedQueue<>();
    private final AtomicBoolean scheduled = new AtomicBoolean();

    public Heartbeat(Scheduler timer, Duration leaseDuration) {
        this.timer = timer;
        this.interval = interval(leaseDuration);
    }

    /** The time between two beats. */
    public static Duration interval(Duration leaseDuration) {
        return Duration.ofNanos(leaseDuration.toNanos() / 3);
    }

    void add(RunLease lease) {
        active.add(lease);
        schedule();
    }

    void remove(RunLease lease) {
        active.remove(lease);
    }

    private void schedule() {
        if (!scheduled.get() && scheduled.compareAndSet(false, true)) {
            try {
                timer.after(interval, this::beat);
            } catch (RuntimeException | Error e) { // the executor rejected the task
                scheduled.set(false);
                LOG.error("Leases are not renewed until the next run starts", e);
            }
        }
    }

    private void beat() {
        scheduled.set(false);
        if (!active.isEmpty()) {
            schedule();
        }
        active.stream().filter(underway::add).forEach(due::add);
        if (due.isEmpty()) {
            return;
        }
        try {
            timer.aside(this::renewDue);
        } catch (RuntimeException | Error e) { // the executor rejected the task
            LOG.error("Leases are not renewed until the next beat", e);
        }
    }

    private void renewDue() {
        for (RunLease lease = due.poll(); lease != null; lease = due.poll()) {
            try {
                if (active.contains(lease)) {
                    lease.renew();
                }
            } finally {
                underway.remove(lease);
            }
        }
    }
}
