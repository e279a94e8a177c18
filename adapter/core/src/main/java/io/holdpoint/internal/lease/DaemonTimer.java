package io.holdpoint.internal.lease;

import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * A timer with one daemon thread for delayed tasks, and one for each task that runs aside at the same time. Idle threads end
 * after a second. Thread-safe.
 */
public final class DaemonTimer implements BeatTimer {

    private static final String THREAD = "holdpoint-heartbeat";

    private final ScheduledThreadPoolExecutor executor = new ScheduledThreadPoolExecutor(1, DaemonTimer::thread);
    private final Executor aside = new ThreadPoolExecutor(
            0, Integer.MAX_VALUE, 1, TimeUnit.SECONDS, new SynchronousQueue<>(), DaemonTimer::thread);

    public DaemonTimer() {
        executor.setKeepAliveTime(1, TimeUnit.SECONDS);
        executor.allowCoreThreadTimeOut(true);
    }

    @Override
    public void after(Duration delay, Runnable task) {
        executor.schedule(task, delay.toNanos(), TimeUnit.NANOSECONDS);
    }

    @Override
    public void aside(Runnable task) {
        aside.execute(task);
    }

    private static Thread thread(Runnable task) {
        Thread thread = new Thread(task, THREAD);
        thread.setDaemon(true);
        thread.setContextClassLoader(
                DaemonTimer.class.getClassLoader()); // outlives the web application that started it
        return thread;
    }
}
