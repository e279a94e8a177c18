package io.holdpoint.javalin;

import io.holdpoint.EventSink;
import io.holdpoint.RunRejectedException;
import io.holdpoint.agui.Dialect;
import io.javalin.http.Context;
import jakarta.servlet.AsyncContext;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Function;

/**
 * Answers requests with streams of events, of which an endpoint has many with the same settings. Immutable.
 *
 * @param bufferBytes the size of what may wait for a client before the client is dropped
 * @param keepAlive writes comments
 * @param whenDropped runs when a client was dropped because it does not read
 * @param threads write the streams; a few are enough, since no write waits
 */
record EventStreams(int bufferBytes, KeepAlive keepAlive, Runnable whenDropped, Executor threads) {

    /**
     * Gives the request's thread back at once, and ends the body after the last event. The source starts to send events and
     * returns a future of the last one; a {@link RunRejectedException} that it throws is the answer instead. {@code whenGone}
     * runs, at most once, if the client is gone before the last event.
     */
    void answer(
            Context ctx, Dialect dialect, Function<EventSink, CompletableFuture<?>> source, Runnable whenGone) {
        ctx.future(() -> start(ctx, dialect, source, whenGone));
    }

    private CompletableFuture<?> start(
            Context ctx, Dialect dialect, Function<EventSink, CompletableFuture<?>> source, Runnable whenGone) {
        AsyncContext request = ctx.req().getAsyncContext();
        request.setTimeout(0); // a stream lasts as long as its run
        SseStream stream = new SseStream(request, dialect, this, whenGone);
        request.addListener(stream);
        try {
            source.apply(stream).whenComplete((result, failure) -> stream.end());
            return stream.over();
        } catch (RunRejectedException e) {
            Refusal.of(e).answer(ctx);
            return CompletableFuture.completedFuture(null);
        }
    }
}
