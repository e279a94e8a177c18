package io.holdpoint.follow;

import io.holdpoint.Holdpoint;
import io.holdpoint.hook.Extension;
import io.holdpoint.hook.Guest;
import io.holdpoint.internal.follow.Following;
import java.time.Duration;

/**
 * Settings for following the threads of an agent: {@code builder.with(Follow.settings().longest(Duration.ofMinutes(10)))}. An agent without
 * them has the defaults. Immutable.
 *
 * @param longest the time for which a run is followed, or a page told of changes; then its reader may come again. 5 minutes by default
 * @param lookEvery the time between two looks at the store for a run of another node; one second by default
 * @param flushInterval how often the text that a run is writing is put into the store, so that other nodes see it grow. Each flush writes
 *     the text so far. Zero, the default, for none: other nodes see a message when it is complete
 */
public record FollowSettings(Duration longest, Duration lookEvery, Duration flushInterval) implements Extension {

    static final FollowSettings DEFAULT =
            new FollowSettings(Duration.ofMinutes(5), Duration.ofSeconds(1), Duration.ZERO);

    /** Throws an {@link IllegalArgumentException} if the interval is negative, or one of the others is not longer than zero. */
    public FollowSettings {
        requirePositive("longest", longest);
        requirePositive("lookEvery", lookEvery);
        if (flushInterval.isNegative()) {
            throw new IllegalArgumentException("flushInterval: zero or longer, not " + flushInterval);
        }
    }

    private static void requirePositive(String name, Duration time) {
        if (time.isNegative() || time.isZero()) {
            throw new IllegalArgumentException(name + ": longer than zero, not " + time);
        }
    }

    /** Follows for at most that time, see {@link #longest}. */
    public FollowSettings longest(Duration most) {
        return new FollowSettings(most, lookEvery, flushInterval);
    }

    /** Looks at the store in that interval, see {@link #lookEvery}. */
    public FollowSettings lookEvery(Duration interval) {
        return new FollowSettings(longest, interval, flushInterval);
    }

    /** Flushes texts in that interval, see {@link #flushInterval}. */
    public FollowSettings flushInterval(Duration interval) {
        return new FollowSettings(longest, lookEvery, interval);
    }

    @Override
    public Guest join(Holdpoint agent) {
        return Following.joining(agent, this);
    }
}
