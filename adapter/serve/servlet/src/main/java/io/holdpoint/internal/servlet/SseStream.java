package io.holdpoint.internal.servlet;

import io.holdpoint.EventSink;
import io.holdpoint.agui.Dialect;
import io.holdpoint.agui.Event;
import io.holdpoint.agui.SseFrame;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.AsyncEvent;
import jakarta.servlet.AsyncListener;
import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.WriteListener;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpServletResponseWrapper;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Server-sent events to one client. A write never waits for the client: frames that it has not read wait here up to a limit,
 * beyond which the client is dropped. A silent stream keeps no thread. The stream is opened on the thread that
 * has made it, by its first event or when the source has been accepted; until then the request may be answered in another way,
 * and filters may set headers. Thread-safe.
 *
 * <p>The thread that speaks writes. Events that follow within {@link SseStreams#BURST} wait for the rest of that time, whatever
 * the run does meanwhile, since a write costs more than the event.
 *
 * <p>Two locks, taken in this order: {@code writing} is held while the request is used, also by what completes it, since
 * afterwards the container gives it to another one: when the client is gone, the container says so and waits for the lock.
 * {@code this} guards what waits, and is never held for long, so that a run can go on meanwhile.
 */
final class SseStream implements EventSink, WriteListener, AsyncListener {

    private static final Logger LOG = LoggerFactory.getLogger(SseStream.class);
    private static final int PROBES = 3;
    private static final long PROBE_NANOS = 100_000_000;
    private static final byte[] KEEP_ALIVE = SseFrame.comment("keep-alive");

    private final AsyncContext request;
    private final Dialect dialect;
    private final SseStreams settings;
    private final Runnable whenGone;
    private final CompletableFuture<Void> over = new CompletableFuture<>();
    private final Object writing = new Object();
    private final FrameQueue waiting = new FrameQueue();
    private final Thread opener = Thread.currentThread();
    private volatile boolean opened;
    /** A thread writes, is about to, or is called by the container: when the stream is open, when the client takes more. */
    private boolean working = true;
    /** The time of the last write, or of the request. */
    private long writtenAt;
    /** A beat comes for what waits. */
    private boolean collects;

    private boolean ended;
    private boolean closed;

    /** {@code whenGone} runs, at most once, if the client is gone or dropped before the end. */
    SseStream(AsyncContext request, Dialect dialect, SseStreams settings, Runnable whenGone) {
        this.request = request;
        this.dialect = dialect;
        this.settings = settings;
        this.whenGone = whenGone;
        this.writtenAt = settings.nanos.getAsLong();
    }

    /** Returns a future that is completed, never exceptionally, when the body is written or will never be. */
    CompletableFuture<Void> over() {
        return over;
    }

    @Override
    public void send(Event event) {
        send(SseFrame.of(event, dialect), event instanceof Event.Terminal);
    }

    /** Sends a frame that is no event of a run. */
    void send(byte[] frame) {
        send(frame, false);
    }

    private void send(byte[] frame, boolean last) {
        if (!opened && Thread.currentThread() == opener) {
            open();
        }
        if (isTaken(frame, last)) {
            return;
        }
        if (opened) {
            write(); // a client is slow if it does not read, not if no thread had time to write
        }
        if (!isTaken(frame, last)) {
            LOG.warn("More than {} bytes wait for a client that does not read; it is dropped", settings.bufferBytes);
            if (gone()) { // the container breaks a connection off that is completed while it cannot be written to
                settings.execute(settings.whenDropped);
            }
            throw new IllegalStateException("the client does not read");
        }
    }

    /** Queues a frame unless too much waits. Writes it on this thread, or leaves it to one that writes, or to the next beat. */
    private boolean isTaken(byte[] frame, boolean last) {
        boolean collected = false;
        synchronized (this) {
            if (closed) {
                throw new IllegalStateException("the request has ended");
            }
            if (!last && waiting.bytes() > settings.bufferBytes) {
                return false;
            }
            waiting.add(frame);
            if (working) {
                return true;
            }
            if (waiting.bytes() < SseStreams.BLOCK_BYTES && (collects || isSoon())) {
                if (collects) {
                    return true;
                }
                collects = true;
                collected = true;
            } else {
                working = true;
            }
        }
        if (collected) {
            settings.bursts.add(this);
        } else {
            write();
        }
        return true;
    }

    private boolean isSoon() {
        return settings.nanos.getAsLong() - writtenAt < SseStreams.BURST;
    }

    /** Writes what has come since the last write. */
    void endBurst() {
        settings.bursts.remove(this);
        synchronized (this) {
            collects = false;
            if (working || closed || waiting.isEmpty()) {
                return;
            }
            working = true;
        }
        write();
    }

    /** Writes comments: to a connection that is closed, the first one can be written, and a later one cannot. */
    @Override
    public boolean isRead() {
        for (int probe = 0; probe < PROBES && opened && !isClosed(); probe++) {
            keepAlive();
            LockSupport.parkNanos(PROBE_NANOS);
        }
        return !isClosed();
    }

    /** Ends the body as soon as the client has all events. */
    void end() {
        settings.keepAlive.remove(this);
        synchronized (this) {
            ended = true;
            if (working) {
                return;
            }
            working = true;
        }
        write(); // on this thread: the run has ended, and a write does not wait
    }

    /** Writes a comment, or a frame that waits already, which does the same. */
    void keepAlive() {
        synchronized (this) {
            if (working || ended || closed) {
                return;
            }
            working = true;
            if (waiting.isEmpty()) {
                waiting.add(KEEP_ALIVE);
            }
        }
        write(); // on this thread: all streams at once are too many tasks for a pool, and a write does not wait
    }

    /** Opens the stream, unless it is open or over. Called on the thread that has made it, which still has the request. */
    void open() {
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
                if (response
                        instanceof
                        HttpServletResponseWrapper) { // a filter adds headers when they are sent: here and now
                    response.flushBuffer();
                }
                response.getOutputStream().setWriteListener(this);
                opened = true;
            } catch (IOException e) {
                LOG.debug("A client is gone", e);
                gone();
                return;
            }
        }
        settings.keepAlive.add(this);
    }

    private synchronized boolean isClosed() {
        return closed;
    }

    @Override
    public void onWritePossible() {
        write();
    }

    private void write() {
        synchronized (writing) {
            if (isClosed()) {
                return;
            }
            try {
                if (writeWhatWaits(request.getResponse().getOutputStream())
                        && request.getRequest().isAsyncStarted()) { // else the container has just completed it
                    over.complete(null);
                }
            } catch (IOException | RuntimeException e) {
                LOG.debug("A client is gone", e);
                gone();
            }
        }
    }

    /** Writes as long as the client takes more, and returns whether the body is complete. The container calls when the client takes more. */
    private boolean writeWhatWaits(ServletOutputStream out) throws IOException {
        boolean flushed = true;
        while (out.isReady()) {
            ByteArrayOutputStream next = take();
            if (next != null) {
                next.writeTo(out);
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

    private synchronized @Nullable ByteArrayOutputStream take() {
        writtenAt = settings.nanos.getAsLong();
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
     * Completes the request and returns whether it was open. The container may complete it by itself; after that it must no
     * longer be touched.
     */
    private boolean gone() {
        synchronized (writing) {
            boolean wasOpen = close();
            if (wasOpen) {
                over.complete(null);
            }
            return wasOpen;
        }
    }

    /** Forgets what waits, and returns whether the stream was open. */
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
        settings.keepAlive.remove(this);
        if (early) {
            settings.execute(whenGone);
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

    /** Waits for a write that goes on. A request that is not completed by now is not completed afterwards. */
    @Override
    public void onComplete(AsyncEvent event) {
        synchronized (writing) {
            close();
        }
        settings.keepAlive.remove(this); // the run may have ended before the stream was opened
    }

    @Override
    public void onStartAsync(AsyncEvent event) {
        event.getAsyncContext().addListener(this);
    }

    /** The frames that wait for the client, in order, in blocks: one call costs more than copying them. Not thread-safe. */
    private static final class FrameQueue {

        private static final int FIRST_BYTES = 1_024;

        private final Deque<ByteArrayOutputStream> blocks = new ArrayDeque<>();
        private long bytes;

        void add(byte[] frame) {
            ByteArrayOutputStream block = blocks.peekLast();
            if (block == null || block.size() + frame.length > SseStreams.BLOCK_BYTES) {
                block = new ByteArrayOutputStream(Math.max(frame.length, FIRST_BYTES));
                blocks.add(block);
            }
            block.writeBytes(frame);
            bytes += frame.length;
        }

        long bytes() {
            return bytes;
        }

        boolean isEmpty() {
            return blocks.isEmpty();
        }

        void clear() {
            blocks.clear();
            bytes = 0;
        }

        /** Removes the next block; {@code null} if no frame waits. */
        @Nullable
        ByteArrayOutputStream take() {
            ByteArrayOutputStream block = blocks.poll();
            if (block != null) {
                bytes -= block.size();
            }
            return block;
        }
    }
}
