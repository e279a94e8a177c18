package io.holdpoint.internal.run;

import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Renews the leases of an agent's active runs, all of them at one beat, three times in the duration of a lease. While no run
 * is active nothing is scheduled. Thread-safe; a run costs an entry in a map.
 */
final class Heartbeat {

    private static final Logger LOG = LoggerFactory.getLogger(Heartbeat.class);

    private final BeatTimer timer;
    private final Duration interval;
    private final Set<RunLease> active = ConcurrentHashMap.newKeySet();
    private final AtomicBoolean scheduled = new AtomicBoolean();

    Heartbeat(BeatTimer timer, Duration leaseDuration) {
        this.timer = timer;
        this.interval = leaseDuration.dividedBy(3);
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
            } catch (RuntimeException | Error e) { // no thread to be had
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
        active.forEach(RunLease::beat);
    }
}
