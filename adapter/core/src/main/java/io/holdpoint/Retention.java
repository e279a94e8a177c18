package io.holdpoint;

import java.time.Duration;

/**
 * The times for which records of batches of tool calls are kept. Immutable.
 *
 * @param settled how long a finished batch is kept, so that an answer that is sent again is recognised; 24 hours by default
 * @param abandoned how long an unfinished batch waits before it is settled as expired; 30 days by default
 */
public record Retention(Duration settled, Duration abandoned) {

    /** 24 hours and 30 days. */
    public static final Retention DEFAULT = new Retention(Duration.ofHours(24), Duration.ofDays(30));

    /**
     * Checks the durations.
     *
     * @throws IllegalArgumentException if one is negative or zero
     */
    public Retention {
        if (settled.isNegative() || settled.isZero() || abandoned.isNegative() || abandoned.isZero()) {
            throw new IllegalArgumentException("retention must be longer than zero: " + settled + ", " + abandoned);
        }
    }

    /**
     * The work of one call of {@link Holdpoint#purge}. Immutable.
     *
     * @param expired how many abandoned batches were settled as expired; their threads take new messages
     * @param removed how many finished batches were removed
     */
    public record Purged(int expired, int removed) {}
}
