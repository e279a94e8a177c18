package io.holdpoint.javalin;

import io.holdpoint.EventSink;
import io.holdpoint.agui.Event;
import io.holdpoint.agui.SseFrame;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;

/** Writes a run's events as server-sent events, each at once. Used by one run; not thread-safe. */
final class ServletEventSink implements EventSink {

    private final HttpServletResponse response;
    private boolean started;

    ServletEventSink(HttpServletResponse response) {
        this.response = response;
    }

    @Override
    public void send(Event event) {
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
            out.write(SseFrame.of(event));
            out.flush();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
