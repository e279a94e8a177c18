package io.holdpoint.testing;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;

/** A place where the first one to come is held until the test lets it go. */
public final class Stop {

    private final AtomicBoolean armed = new AtomicBoolean();
    private final CountDownLatch reached = new CountDownLatch(1);
    private final CountDownLatch mayGo = new CountDownLatch(1);

    /** From now on the next one is held. */
    public Stop arm() {
        armed.set(true);
        return this;
    }

    /** Where the one is held. */
    public void pass() {
        if (armed.compareAndSet(true, false)) {
            reached.countDown();
            await(mayGo);
        }
    }

    /** Waits until the one is there. */
    public void awaitReached() {
        await(reached);
    }

    public void letGo() {
        mayGo.countDown();
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
