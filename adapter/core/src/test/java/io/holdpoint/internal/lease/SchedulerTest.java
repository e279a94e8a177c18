package io.holdpoint.internal.lease;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdpoint.internal.lease.Scheduler.Daemon;
import io.holdpoint.testing.Logs;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class SchedulerTest {

    /** A machine that is out of threads for three times. */
    @Test
    @Logs("No thread could be started*")
    void aTaskForWhichNoThreadCanBeStartedRunsWhenThereIsOneAgain() throws InterruptedException {
        AtomicInteger started = new AtomicInteger();
        Daemon timer = new Daemon(task -> new Thread(task) {

            @Override
            public void start() {
                if (started.incrementAndGet() <= 3) {
                    throw new OutOfMemoryError("unable to create native thread");
                }
                super.start();
            }
        });
        CountDownLatch done = new CountDownLatch(2);

        timer.after(Duration.ZERO, () -> timer.aside(done::countDown));
        timer.aside(done::countDown);

        assertThat(done.await(20, TimeUnit.SECONDS)).isTrue();
    }
}
