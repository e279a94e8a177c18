package io.holdpoint.internal.agent;

import java.time.Duration;

/** Settings for following active runs, as {@code AdvancedSettings} explains them; an interval of zero flushes nothing. */
public record FollowSettings(Duration longest, Duration lookEvery, Duration flushInterval) {

    static final FollowSettings DEFAULT =
            new FollowSettings(Duration.ofMinutes(5), Duration.ofSeconds(1), Duration.ZERO);

    public FollowSettings {
        if (longest.isNegative() || longest.isZero() || lookEvery.isNegative() || lookEvery.isZero()) {
            throw new IllegalArgumentException("follow: longer than zero, not " + longest + ", " + lookEvery);
        }
        if (flushInterval.isNegative()) {
            throw new IllegalArgumentException("flushInterval: zero or longer, not " + flushInterval);
        }
    }
}
