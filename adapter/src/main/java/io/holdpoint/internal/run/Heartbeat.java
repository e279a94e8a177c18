package io.holdpoint.internal.run;

import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Renews the leases of an agent's active runs, all of them at one beat, three times in the duration of a lease. While no run
 * is active nothing is scheduled. Thread-safe; a run costs an entry in a map.
 */
final class Heartbeat {

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
            timer.after(interval, this::beat);
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
