package io.holdpoint.javalin;

import io.holdpoint.EventSink;
import io.holdpoint.agui.Event;
import io.holdpoint.agui.RunEvent;
import io.holdpoint.agui.SseFrame;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.AsyncEvent;
import jakarta.servlet.AsyncListener;
import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.WriteListener;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Server-sent events to one client, written by whoever has time and never waiting for the client: what it has not read yet
 * waits here, up to a limit, beyond which it is dropped. While nothing is to be written, no thread is kept. Opened by the
 * first event; until then the request may still be answered in another way. Thread-safe.
 *
 * <p>Two locks, taken in this order: {@code writing} is held while the response is used, since afterwards the container gives
 * it to another request; {@code this} guards what waits, and is never held for long, so that a run can go on meanwhile.
 */
final class SseStream implements EventSink, WriteListener, AsyncListener {

    private static final Logger LOG = LoggerFactory.getLogger(SseStream.class);
    private static final byte[] KEEP_ALIVE = SseFrame.comment("keep-alive");

    private final AsyncContext request;
    private final StreamSettings settings;
    private final Runnable whenGone;
    private final CompletableFuture<Void> over = new CompletableFuture<>();
    private final Object writing = new Object();
    private final FrameQueue waiting = new FrameQueue();
    private volatile boolean opened;
    /** Somebody writes, is about to, or is called by the container as soon as the client takes more. */
    private boolean working;

    private boolean ended;
    private boolean closed;

    /** @param whenGone called, at most once, if the client is gone or dropped before the end */
    SseStream(AsyncContext request, StreamSettings settings, Runnable whenGone) {
        this.request = request;
        this.settings = settings;
        this.whenGone = whenGone;
    }

    /** Completed when the body is written, or will never be, unless the container gave up first; never exceptionally. */
    CompletableFuture<Void> over() {
        return over;
    }

    @Override
    public void send(Event event) {
        byte[] frame = SseFrame.of(event, settings.dialect());
        if (!opened) {
            open();
        }
        if (isFull()) {
            write(); // a client is slow if it does not read, not if nobody had time to write
        }
        boolean last = event instanceof RunEvent.Finished || event instanceof RunEvent.Error;
        if (!last && isFull()) {
            LOG.warn("More than {} bytes wait for a client that does not read; it is dropped", settings.bufferBytes());
            if (gone()) { // the container breaks a connection off that is completed while it cannot be written to
                execute(settings.whenDropped());
            }
        }
        offer(frame, last);
    }

    /** No more events: the body ends as soon as the client has all of them. */
    void end() {
        settings.keepAlive().remove(this);
        synchronized (this) {
            ended = true;
            if (working) {
                return;
            }
            working = true;
        }
        if (opened) {
            write(); // here and now: the run has ended, so there is nothing that it could be held up in
        } else {
            over.complete(null);
        }
    }

    /** Unless something waits already, which does the same. */
    void keepAlive() {
        synchronized (this) {
            if (working || ended || closed) {
                return;
            }
            working = true;
            waiting.add(KEEP_ALIVE);
        }
        write(); // here and now: all streams at once are too many tasks for a pool, and nothing of it waits
    }

    private void open() {
        synchronized (writing) {
            if (opened || isClosed()) {
                return;
            }
            try {
                HttpServletResponse response = (HttpServletResponse) request.getResponse();
                response.setStatus(HttpServletResponse.SC_OK);
                response.setContentType("text/event-stream");
                response.setCharacterEncoding("UTF-8");
                response.setHeader("Cache-Control", "no-cache, no-transform");
                response.setHeader("X-Accel-Buffering", "no");
                synchronized (this) {
                    working = true;
                }
                response.getOutputStream().setWriteListener(this);
                opened = true;
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
        settings.keepAlive().add(this);
    }

    private synchronized boolean isFull() {
        return waiting.bytes() > settings.bufferBytes();
    }

    private synchronized boolean isClosed() {
        return closed;
    }

    /** The last frame is written at once: nothing comes that could be written together with it. */
    private void offer(byte[] frame, boolean last) {
        synchronized (this) {
            if (closed) {
                throw new IllegalStateException("the request has ended");
            }
            waiting.add(frame);
            if (working) {
                return;
            }
            working = true;
        }
        if (last) {
            write();
        } else {
            execute(this::write);
        }
    }

    /** On another thread, so that what a fast model says meanwhile is written together. */
    private void execute(Runnable task) {
        try {
            settings.threads().execute(task);
        } catch (RejectedExecutionException e) { // the server stops
            task.run();
        }
    }

    @Override
    public void onWritePossible() {
        write();
    }

    private void write() {
        boolean written = false;
        synchronized (writing) {
            if (!isClosed()) {
                try {
                    written = writeWhatWaits(request.getResponse().getOutputStream());
                } catch (IOException | RuntimeException e) {
                    LOG.debug("A client is gone", e);
                    gone();
                }
            }
        }
        if (written) {
            over.complete(null);
        }
    }

    /** Returns whether that was all of the body. If the client takes no more for now, the container calls when it does. */
    private boolean writeWhatWaits(ServletOutputStream out) throws IOException {
        boolean flushed = true;
        while (out.isReady()) {
            byte[] next = take();
            if (next.length > 0) {
                out.write(next);
                flushed = false;
            } else if (finish()) {
                return true; // what is not flushed goes out with the end of the body
            } else if (!flushed) {
                out.flush();
                flushed = true;
            } else if (rest()) {
                return false;
            }
        }
        return false;
    }

    private synchronized byte[] take() {
        return waiting.take();
    }

    private synchronized boolean finish() {
        boolean finished = ended && !closed && waiting.isEmpty();
        closed |= finished;
        return finished;
    }

    private synchronized boolean rest() {
        working = !closed && (ended || !waiting.isEmpty());
        return !working;
    }

    /**
     * The request is completed right here: once the container has done so by itself, nobody may touch it any more. Returns
     * whether it was open.
     */
    private boolean gone() {
        boolean wasOpen = close();
        if (wasOpen) {
            over.complete(null);
        }
        return wasOpen;
    }

    /** Returns whether it was open. */
    private boolean close() {
        boolean early;
        synchronized (this) {
            if (closed) {
                return false;
            }
            closed = true;
            early = !ended;
            waiting.clear();
        }
        settings.keepAlive().remove(this);
        if (early) {
            execute(whenGone);
        }
        return true;
    }

    @Override
    public void onError(Throwable failure) {
        LOG.debug("A client is gone", failure);
        gone();
    }

    @Override
    public void onError(AsyncEvent event) {
        gone();
    }

    @Override
    public void onTimeout(AsyncEvent event) {
        gone();
    }

    /** Not before a write is over. If nobody here has completed the request, nobody does so afterwards. */
    @Override
    public void onComplete(AsyncEvent event) {
        synchronized (writing) {
            close();
        }
    }

    @Override
    public void onStartAsync(AsyncEvent event) {
        event.getAsyncContext().addListener(this);
    }
}
