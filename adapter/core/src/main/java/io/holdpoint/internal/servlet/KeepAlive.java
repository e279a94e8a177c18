package io.holdpoint.internal.servlet;

import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Writes a comment into every open stream at intervals, so that proxies do not take an idle connection for a dead one, and dead
 * ones are found. All streams share one beat, which rests while no stream is open. Thread-safe.
 */
public final class KeepAlive {

    /** Runs something later. Must be thread-safe. */
    @FunctionalInterface
    public interface Timer {

        /** The JDK's own, which has a thread already. */
        Timer JDK = (delay, task) -> CompletableFuture.delayedExecutor(delay.toNanos(), TimeUnit.NANOSECONDS)
                .execute(task);

        /** Runs a task once, after a delay. */
        void after(Duration delay, Runnable task);
    }

    private final Timer timer;
    private final Duration interval;
    private final Set<SseStream> open = ConcurrentHashMap.newKeySet();
    private final AtomicBoolean scheduled = new AtomicBoolean();

    /** An interval of zero writes no comments. */
    public KeepAlive(Timer timer, Duration interval) {
        this.timer = timer;
        this.interval = interval;
    }

    void add(SseStream stream) {
        if (!interval.isZero()) {
            open.add(stream);
            schedule();
        }
    }

    void remove(SseStream stream) {
        open.remove(stream);
    }

    private void schedule() {
        if (!scheduled.get() && scheduled.compareAndSet(false, true)) {
            timer.after(interval, this::beat);
        }
    }

    private void beat() {
        scheduled.set(false);
        if (!open.isEmpty()) {
            schedule();
        }
        open.forEach(SseStream::keepAlive);
    }
}
