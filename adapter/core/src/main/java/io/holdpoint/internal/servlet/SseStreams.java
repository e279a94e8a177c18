package io.holdpoint.internal.servlet;

import io.holdpoint.EventSink;
import io.holdpoint.RunRejectedException;
import io.holdpoint.agui.Dialect;
import jakarta.servlet.AsyncContext;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Function;

/**
 * Answers requests with streams of events, of which an endpoint has many with the same settings. Immutable.
 */
public class SseStreams {

    final int bufferBytes;
    final KeepAlive keepAlive;
    final Runnable whenDropped;
    final Executor threads;

    /**
     * The limit is the size of what may wait for a client before it is dropped, of which {@code whenDropped} is told. A few
     * threads are enough, since no write waits.
     */
    public SseStreams(int bufferBytes, KeepAlive keepAlive, Runnable whenDropped, Executor threads) {
        this.bufferBytes = bufferBytes;
        this.keepAlive = keepAlive;
        this.whenDropped = whenDropped;
        this.threads = threads;
    }

    /**
     * Starts a stream on the thread that has an asynchronous request, and returns a future that is completed, never
     * exceptionally, when the request is to be completed. The source starts to send events and returns a future of the last
     * one; a {@link RunRejectedException} that it throws leaves the response untouched. {@code whenGone} runs, at most once, if
     * the client is gone before the last event.
     */
    public CompletableFuture<Void> start(
            AsyncContext request,
            Dialect dialect,
            Function<EventSink, CompletableFuture<?>> source,
            Runnable whenGone) {
        request.setTimeout(0); // a stream lasts as long as its run
        SseStream stream = new SseStream(request, dialect, this, whenGone);
        request.addListener(stream);
        source.apply(stream).whenComplete((result, failure) -> stream.end());
        stream.open();
        return stream.over();
    }
}
