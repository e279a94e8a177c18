package io.holdpoint.internal.servlet;

import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Writes into streams at intervals. All streams share one timer, which rests while there are no streams. Thread-safe. */
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

    private static final Logger LOG = LoggerFactory.getLogger(KeepAlive.class);

    private final Timer timer;
    private final Duration interval;
    private final Consumer<SseStream> writes;
    private final Set<SseStream> streams = ConcurrentHashMap.newKeySet();
    private final AtomicBoolean scheduled = new AtomicBoolean();

    KeepAlive(Timer timer, Duration interval, Consumer<SseStream> writes) {
        this.timer = timer;
        this.interval = interval;
        this.writes = writes;
    }

    /**
     * Writes comments, so that proxies do not take an idle connection for a dead one, and dead ones are found. An
     * interval of zero writes none.
     */
    public static KeepAlive keepAlive(Timer timer, Duration interval) {
        return new KeepAlive(timer, interval, SseStream::keepAlive);
    }

    void add(SseStream stream) {
        if (!interval.isZero()) {
            streams.add(stream);
            schedule();
        }
    }

    void remove(SseStream stream) {
        streams.remove(stream);
    }

    private void schedule() {
        if (!scheduled.get() && scheduled.compareAndSet(false, true)) {
            timer.after(interval, this::beat);
        }
    }

    private void beat() {
        for (SseStream stream : streams) {
            try {
                writes.accept(stream);
            } catch (RuntimeException | Error e) { // of the server that stops, or of a full memory
                LOG.warn("A stream could not be written to", e);
            }
        }
        scheduled.set(false);
        if (!streams.isEmpty()) {
            schedule();
        }
    }
}
