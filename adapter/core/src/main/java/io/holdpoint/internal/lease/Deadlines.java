package io.holdpoint.internal.lease;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Stops runs that take too long. At most one task waits in the timer, and none for long: it is not a run's task, so that a
 * million short runs leave nothing behind. While no run is active nothing is scheduled. Thread-safe.
 */
public final class Deadlines {

    private static final Logger LOG = LoggerFactory.getLogger(Deadlines.class);

    /** How long a task waits at most: when the last run has ended, so long something is left of it. */
    static final Duration LONGEST_WAIT = Duration.ofSeconds(10);

    private static final Duration SHORTEST_WAIT = Duration.ofMillis(1);

    private final BeatTimer timer;
    private final Clock clock;
    private final Optional<Duration> timeout;
    private final Map<RunStop, Instant> active = new ConcurrentHashMap<>();
    private final AtomicBoolean scheduled = new AtomicBoolean();

    /**
     * @param timeout how long a run may take; empty for as long as it likes
     */
    public Deadlines(BeatTimer timer, Clock clock, Optional<Duration> timeout) {
        this.timer = timer;
        this.clock = clock;
        this.timeout = timeout;
    }

    public void add(RunStop run) {
        timeout.ifPresent(most -> {
            active.put(run, clock.instant().plus(most));
            run.whenOver(() -> active.remove(run));
            schedule(most);
        });
    }

    public void remove(RunStop run) {
        active.remove(run);
    }

    private void schedule(Duration left) {
        if (!scheduled.get() && scheduled.compareAndSet(false, true)) {
            Duration atLeast = left.compareTo(SHORTEST_WAIT) < 0 ? SHORTEST_WAIT : left;
            try {
                timer.after(atLeast.compareTo(LONGEST_WAIT) < 0 ? atLeast : LONGEST_WAIT, this::look);
            } catch (RuntimeException | Error e) { // no thread to be had
                scheduled.set(false);
                LOG.error("Runs are not timed until the next one starts", e);
            }
        }
    }

    private void look() {
        scheduled.set(false);
        Instant now = clock.instant();
        List<RunStop> due = active.entrySet().stream()
                .filter(each -> !each.getValue().isAfter(now))
                .map(Map.Entry::getKey)
                .toList();
        due.forEach(run -> {
            active.remove(run);
            run.request(RunStop.Reason.TIMED_OUT);
        });
        active.values().stream()
                .min(Comparator.naturalOrder())
                .ifPresent(next -> schedule(Duration.between(now, next)));
    }
}
