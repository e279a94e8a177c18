package io.holdpoint.internal.lease;

import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/** Runs tasks later, or on threads of its own. Must be thread-safe. */
public interface Scheduler {

    /** Runs a task once after a delay, unless it is cancelled by what is returned. The task must not throw. */
    Runnable after(Duration delay, Runnable task);

    /**
     * Runs a task now, on a thread that no other task keeps busy: an application's pool may be so full that leases would end. The
     * task may take its time, and must not throw.
     */
    void aside(Runnable task);

    /** The time by which it measures delays, whatever the clocks say: {@link System#nanoTime}. */
    default long nanoTime() {
        return System.nanoTime();
    }

    /**
     * A timer with one daemon thread for delayed tasks, and one for each task that runs aside at the same time. Idle threads end
     * after a second. A task for which no thread can be started at present is tried again: whoever looks again and again does not
     * stop because the system was out of threads once. Thread-safe.
     */
    final class Daemon implements Scheduler {

        private static final String THREAD = "holdpoint-heartbeat";

        private static final ThreadFactory THREADS = Daemon::thread;

        private static final Duration NO_THREAD_PAUSE = Duration.ofMillis(100);
        private static final Logger LOG = LoggerFactory.getLogger(Scheduler.class);

        private final ScheduledThreadPoolExecutor executor = new ScheduledThreadPoolExecutor(1, THREADS);
        private final Executor aside;
        private volatile boolean isShort;

        public Daemon() {
            this(THREADS);
        }

        Daemon(ThreadFactory asides) {
            aside = new ThreadPoolExecutor(0, Integer.MAX_VALUE, 1, TimeUnit.SECONDS, new SynchronousQueue<>(), asides);
            executor.setKeepAliveTime(1, TimeUnit.SECONDS);
            executor.allowCoreThreadTimeOut(true);
            executor.setRemoveOnCancelPolicy(true);
        }

        @Override
        public Runnable after(Duration delay, Runnable task) {
            Future<?> later = executor.schedule(task, TimeUnit.NANOSECONDS.convert(delay), TimeUnit.NANOSECONDS);
            return () -> later.cancel(false);
        }

        boolean isIdle() {
            return executor.getQueue().isEmpty();
        }

        @Override
        public void aside(Runnable task) {
            try {
                aside.execute(task);
                isShort = false;
            } catch (RuntimeException | Error e) {
                LOG.atLevel(isShort ? Level.DEBUG : Level.WARN)
                        .setCause(e)
                        .log(
                                "No thread could be started for what an agent does beside its runs. It is tried again; said once");
                isShort = true;
                after(NO_THREAD_PAUSE, () -> aside(task));
            }
        }

        private static Thread thread(Runnable task) {
            Thread thread = new Thread(task, THREAD);
            thread.setDaemon(true);
            thread.setContextClassLoader(Daemon.class.getClassLoader()); // outlives the web application that started it
            return thread;
        }
    }
}
