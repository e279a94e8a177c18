package io.holdpoint.demo;

import java.time.Clock;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

/** Tells the time a few times, and then never again. A demo tool asks for it in the middle of what it does. */
final class StuckClock extends Clock {

    private final AtomicInteger left;
    private Runnable whenStuck = () -> {};

    StuckClock(int timesTold) {
        this.left = new AtomicInteger(timesTold);
    }

    /** What is done by the thread that will not get an answer. Set before anybody asks. */
    void whenStuck(Runnable action) {
        whenStuck = action;
    }

    @Override
    public Instant instant() {
        if (left.getAndDecrement() > 0) {
            return Instant.now();
        }
        whenStuck.run();
        try {
            new CountDownLatch(1).await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        throw new IllegalStateException("interrupted");
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
