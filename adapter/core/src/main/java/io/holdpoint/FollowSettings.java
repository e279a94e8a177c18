package io.holdpoint;

import java.time.Duration;

/**
 * How active runs are followed, see {@link Holdpoint#follow}. Immutable.
 *
 * @param longest how long at most; 5 minutes by default. Whoever wants to see more follows again
 * @param lookEvery how often the store is looked at, where the run is another node's; one second by default
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
