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
 * Stops runs that take too long. At most one task waits in the timer for all of them, and only while a run is active, so that
 * a million short runs leave no timer behind. Thread-safe.
 */
public final class Deadlines {

    private static final Logger LOG = LoggerFactory.getLogger(Deadlines.class);

    /** The longest wait of the task: it may stay in the timer that long after the last run has ended. */
    static final Duration LONGEST_WAIT = Duration.ofSeconds(10);

    private static final Duration SHORTEST_WAIT = Duration.ofMillis(1);

    private final BeatTimer timer;
    private final Clock clock;
    private final Optional<Duration> timeout;
    private final Map<RunStop, Instant> active = new ConcurrentHashMap<>();
    private final AtomicBoolean scheduled = new AtomicBoolean();

    /** An empty timeout lets a run take any time. */
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
