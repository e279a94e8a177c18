package io.holdpoint.internal.lease;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;

/** Tells whether a clock runs as time does: the system's does, one of a test stands still and jumps. Thread-safe. */
public final class ClockPace {

    private final Clock clock;
    private final Scheduler timer;
    private Instant time;
    private long nanos;
    private volatile boolean runs;

    /** An application's own clock is not known to run until it is looked at again. */
    public ClockPace(Clock clock, Scheduler timer) {
        this.clock = clock;
        this.timer = timer;
        this.time = clock.instant();
        this.nanos = timer.nanoTime();
        this.runs = isSystem();
    }

    private boolean isSystem() {
        return clock.getClass() == Clock.systemUTC().getClass();
    }

    /** Tells whether it ran between the last two looks. */
    public boolean runs() {
        return runs;
    }

    /** Looks at it, some seconds after the look before. The system's runs also when somebody sets it. */
    public synchronized boolean look() {
        Instant present = clock.instant();
        long presentNanos = timer.nanoTime();
        long passed = Math.max(0, presentNanos - nanos);
        Duration told = Duration.between(time, present);
        runs = isSystem()
                || passed > 0
                        && told.compareTo(Duration.ofNanos(passed / 2)) >= 0
                        && told.compareTo(Duration.ofNanos(passed).multipliedBy(2)) <= 0;
        time = present;
        nanos = presentNanos;
        return runs;
    }
}
