package io.holdpoint;

import java.time.Duration;

/**
 * Settings for following active runs, see {@link Holdpoint#follow}. Immutable.
 *
 * @param longest the longest time that a stream follows a run; 5 minutes by default. A client may follow again
 * @param lookEvery the time between two looks at the store, if the run is another node's; one second by default
 */
public record FollowSettings(Duration longest, Duration lookEvery) {

    /** 5 minutes, and every second. */
    public static final FollowSettings DEFAULT = new FollowSettings(Duration.ofMinutes(5), Duration.ofSeconds(1));

    /**
     * Checks the durations.
     *
     * @throws IllegalArgumentException if one is negative or zero
     */
    public FollowSettings {
        if (longest.isNegative() || longest.isZero() || lookEvery.isNegative() || lookEvery.isZero()) {
            throw new IllegalArgumentException("following takes longer than zero: " + longest + ", " + lookEvery);
        }
    }
}
