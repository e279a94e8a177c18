package io.holdpoint.test;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;

/** A clock that a test moves by hand. Starts at noon of 31 January 2026, in UTC. Thread-safe. */
public final class VirtualClock extends Clock {

    private static final Instant START = Instant.parse("2026-01-31T12:00:00Z");

    private volatile Instant now = START;

    /** Moves the time on; a negative duration moves it back. */
    public void advance(Duration duration) {
        now = now.plus(duration);
    }

    @Override
    public Instant instant() {
        return now;
    }

    @Override
    public ZoneId getZone() {
        return ZoneOffset.UTC;
    }

    @Override
    public Clock withZone(ZoneId zone) {
        return this;
    }
}
