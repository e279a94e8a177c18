package io.holdpoint;

import java.time.Duration;

/**
 * Settings for following active runs, see {@link Holdpoint#follow}. Immutable.
 *
 * @param longest the longest time that a stream follows a run; 5 minutes by default. A client may follow again
 * @param lookEvery the time between two looks at the store, if the run is another node's; one second by default
 * @param flushInterval the time after which the text that a run is writing is put into the store, so that other nodes see it
 *     grow; zero, the default, for never: they see a message when it is complete. Each flush writes the text so far
 */
public record FollowSettings(Duration longest, Duration lookEvery, Duration flushInterval) {

    /** 5 minutes, every second, and no flush. */
    public static final FollowSettings DEFAULT = new FollowSettings(Duration.ofMinutes(5), Duration.ofSeconds(1));

    /**
     * Checks the durations.
     *
     * @throws IllegalArgumentException if one is negative, or {@code longest} or {@code lookEvery} is zero
     */
    public FollowSettings {
        if (longest.isNegative() || longest.isZero() || lookEvery.isNegative() || lookEvery.isZero()) {
            throw new IllegalArgumentException("following takes longer than zero: " + longest + ", " + lookEvery);
        }
        if (flushInterval.isNegative()) {
            throw new IllegalArgumentException("flushInterval: zero or longer, not " + flushInterval);
        }
    }

    /**
     * Settings without a flush.
     *
     * @param longest the longest time that a stream follows a run
     * @param lookEvery the time between two looks at the store
     * @throws IllegalArgumentException if one is negative or zero
     */
    public FollowSettings(Duration longest, Duration lookEvery) {
        this(longest, lookEvery, Duration.ZERO);
    }

    /**
     * Changes the flush interval.
     *
     * @param interval zero for never
     * @throws IllegalArgumentException if it is negative
     */
    public FollowSettings withFlushInterval(Duration interval) {
        return new FollowSettings(longest, lookEvery, interval);
    }

    /**
     * Tells whether what a run is writing is put into the store.
     *
     * @return {@code false} by default
     */
    public boolean flushes() {
        return !flushInterval.isZero();
    }
}
