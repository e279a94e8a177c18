package io.holdpoint.javalin;

import io.holdpoint.EventSink;
import io.holdpoint.agui.Dialect;
import io.holdpoint.agui.Event;
import io.holdpoint.agui.SseFrame;
import jakarta.servlet.AsyncEvent;
import jakarta.servlet.AsyncListener;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;

/**
 * Writes a run's events as server-sent events, each at once, as long as the request lives: afterwards the container gives
 * the response to another request. Thread-safe.
 */
final class ServletEventSink implements EventSink, AsyncListener {

    private final HttpServletResponse response;
    private final Dialect dialect;
    private boolean started;
    private boolean closed;

    ServletEventSink(HttpServletResponse response, Dialect dialect) {
        this.response = response;
        this.dialect = dialect;
    }

    @Override
    public synchronized void send(Event event) {
        if (closed) {
            throw new IllegalStateException("the request has ended");
        }
        try {
            if (!started) {
                started = true;
                response.setStatus(HttpServletResponse.SC_OK);
                response.setContentType("text/event-stream");
                response.setCharacterEncoding("UTF-8");
                response.setHeader("Cache-Control", "no-cache");
                response.setHeader("X-Accel-Buffering", "no");
            }
            OutputStream out = response.getOutputStream();
            out.write(SseFrame.of(event, dialect));
            out.flush();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void onComplete(AsyncEvent event) {
        close();
    }

    @Override
    public void onTimeout(AsyncEvent event) {
        close();
    }

    @Override
    public void onError(AsyncEvent event) {
        close();
    }

    @Override
    public void onStartAsync(AsyncEvent event) {
        event.getAsyncContext().addListener(this);
    }

    private synchronized void close() {
        closed = true;
    }
}
