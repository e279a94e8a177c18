package io.holdpoint.javalin;

import io.holdpoint.EventSink;
import io.holdpoint.RunRejectedException;
import io.javalin.http.Context;
import jakarta.servlet.AsyncContext;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

/** Answers requests with streams of events. Thread-safe. */
final class EventStreams {

    private final StreamSettings settings;

    EventStreams(StreamSettings settings) {
        this.settings = settings;
    }

    /**
     * Gives the request's thread back at once; the body ends after the last event.
     *
     * @param source starts to send events, and returns what is completed after the last one; what it throws as
     *     {@link RunRejectedException} is the answer instead
     * @param whenGone called, at most once, if the client is gone before that
     */
    void answer(Context ctx, Function<EventSink, CompletableFuture<?>> source, Runnable whenGone) {
        ctx.future(() -> start(ctx, source, whenGone));
    }

    private CompletableFuture<?> start(
            Context ctx, Function<EventSink, CompletableFuture<?>> source, Runnable whenGone) {
        AsyncContext request = ctx.req().getAsyncContext();
        request.setTimeout(0); // a stream lasts as long as its run
        SseStream stream = new SseStream(request, settings, whenGone);
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
