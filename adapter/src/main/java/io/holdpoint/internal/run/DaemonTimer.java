package io.holdpoint.internal.run;

import java.time.Duration;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/** A timer with one daemon thread, which is there only while something is to be done. Thread-safe. */
public final class DaemonTimer implements BeatTimer {

    private static final String THREAD = "holdpoint-heartbeat";

    private final ScheduledThreadPoolExecutor executor = new ScheduledThreadPoolExecutor(1, task -> {
        Thread thread = new Thread(task, THREAD);
        thread.setDaemon(true);
        return thread;
    });

    /** Creates a timer; no thread yet. */
    public DaemonTimer() {
        executor.setKeepAliveTime(1, TimeUnit.SECONDS);
        executor.allowCoreThreadTimeOut(true);
    }

    @Override
    public void after(Duration delay, Runnable task) {
        executor.schedule(task, delay.toNanos(), TimeUnit.NANOSECONDS);
    }
}
