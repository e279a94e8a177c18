package io.holdpoint.javalin;

import io.holdpoint.EventSink;
import io.holdpoint.RunRejectedException;
import io.holdpoint.agui.Dialect;
import io.holdpoint.internal.servlet.Beat;
import io.holdpoint.internal.servlet.Refusal;
import io.holdpoint.internal.servlet.SseStreams;
import io.javalin.http.Context;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Function;

/** Answers Javalin's requests with streams of events. Immutable. */
final class EventStreams extends SseStreams {

    EventStreams(int bufferBytes, Beat keepAlive, Runnable whenDropped, Executor threads) {
        super(bufferBytes, keepAlive, whenDropped, threads);
    }

    /**
     * Gives the request's thread back at once, and ends the body after the last event. A {@link RunRejectedException} of the
     * source is the answer instead.
     */
    void answer(Context ctx, Dialect dialect, Function<EventSink, CompletableFuture<?>> source, Runnable whenGone) {
        ctx.future(() -> {
            try {
                return start(ctx.req().getAsyncContext(), dialect, source, whenGone);
            } catch (RunRejectedException e) {
                AgUiRoutes.refuse(ctx, Refusal.of(e));
                return CompletableFuture.completedFuture(null);
            }
        });
    }
}
