package io.holdpoint.internal.servlet;

import io.holdpoint.RunRejectedException;
import io.holdpoint.agui.Dialect;
import jakarta.servlet.AsyncContext;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.LongSupplier;

/** Answers requests with streams of events, of which an endpoint has many with the same settings. Immutable. */
public final class SseStreams {

    /** Nanoseconds within which an event that follows a write waits for others, so that a burst is one write. */
    static final long BURST = 2_000_000;

    /** The size of what is written at once, unless a single frame is larger. More does not wait. */
    static final int BLOCK_BYTES = 32_768;

    final int bufferBytes;
    final KeepAlive keepAlive;
    final KeepAlive bursts;
    final LongSupplier nanos;
    final Runnable whenDropped;
    private final Executor threads;

    /**
     * The limit is the size of what may wait for a client before it is dropped, of which {@code whenDropped} is told. A few
     * threads are enough, since no write waits.
     */
    public SseStreams(int bufferBytes, KeepAlive keepAlive, Runnable whenDropped, Executor threads) {
        this(bufferBytes, keepAlive, whenDropped, threads, Optional.empty(), System::nanoTime);
    }

    SseStreams(
            int bufferBytes,
            KeepAlive keepAlive,
            Runnable whenDropped,
            Executor threads,
            Optional<KeepAlive.Timer> timer,
            LongSupplier nanos) {
        this.bufferBytes = bufferBytes;
        this.keepAlive = keepAlive;
        this.whenDropped = whenDropped;
        this.threads = threads;
        this.nanos = nanos;
        this.bursts = new KeepAlive(timer.orElse(this::afterwards), Duration.ofNanos(BURST), SseStream::endBurst);
    }

    private void afterwards(Duration delay, Runnable task) {
        CompletableFuture.delayedExecutor(delay.toNanos(), TimeUnit.NANOSECONDS, this::execute)
                .execute(task);
    }

    /** Runs a task on another thread. */
    void execute(Runnable task) {
        try {
            threads.execute(task);
        } catch (RejectedExecutionException e) { // the server stops
            task.run();
        }
    }

    /**
     * Starts a stream on the thread that has an asynchronous request, and returns a future that is completed, never
     * exceptionally, when the request is to be completed. The source starts to send events and returns a future of the last
     * one; a {@link RunRejectedException} that it throws leaves the response untouched. {@code whenGone} runs, at most once, if
     * the client is gone before the last event.
     */
    CompletableFuture<Void> start(
            AsyncContext request,
            Dialect dialect,
            Function<SseStream, CompletableFuture<?>> source,
            Runnable whenGone) {
        request.setTimeout(0); // a stream lasts as long as its run
        SseStream stream = new SseStream(request, dialect, this, whenGone);
        request.addListener(stream);
        source.apply(stream).whenComplete((result, failure) -> stream.end());
        stream.open();
        return stream.over();
    }
}
