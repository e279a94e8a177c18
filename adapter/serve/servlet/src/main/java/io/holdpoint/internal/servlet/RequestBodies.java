package io.holdpoint.internal.servlet;

import io.holdpoint.ErrorCode;
import jakarta.servlet.ReadListener;
import jakarta.servlet.ServletInputStream;
import jakarta.servlet.http.HttpServletRequest;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads bodies of JSON, or refuses them. Each has a limit, and so have all that are arriving, since many slow ones would fill the
 * memory together. The beginning of each body is free, so that long bodies of some clients do not keep out the short messages of
 * others. Thread-safe.
 */
public final class RequestBodies {

    private static final Logger LOG = LoggerFactory.getLogger(RequestBodies.class);

    /** As many bodies of the largest length may arrive at once. */
    private static final int BODIES = 8;

    private static final int FREE_BYTES = 65_536;
    private static final int BLOCK_BYTES = 8_192;

    /** A body up to this length is read at once if all of it is there, as the servers' own buffers bound. */
    private static final int SHORT = 32_768;

    private final int maxBytes;
    private final AtomicLong arriving = new AtomicLong();

    public RequestBodies(int maxBytes) {
        this.maxBytes = maxBytes;
    }

    /**
     * Reads a body, for which no thread waits. The future is complete if all of it is there; otherwise the request must be
     * asynchronous already, and the future is completed by the container, or too late on one of the threads.
     */
    public <T> CompletableFuture<T> read(
            HttpServletRequest request, Duration timeout, Executor threads, Function<byte[], T> reader) {
        try {
            ServletInputStream in = begin(request);
            int length = request.getContentLength();
            if (length >= 0 && length <= SHORT && in.available() >= length) {
                return read(in.readNBytes(length), reader);
            }
            request.getAsyncContext().setTimeout(0); // the body has a limit of its own
            Body body = new Body(in, timeout);
            body.arrived
                    .copy()
                    .orTimeout(timeout.toNanos(), TimeUnit.NANOSECONDS)
                    .whenComplete((all, late) -> {
                        if (late instanceof TimeoutException) { // the timer's own thread must not wait for a client
                            threads.execute(() -> body.onError(late));
                        }
                    });
            CompletableFuture<T> read = body.arrived.handle((all, failure) -> body.result(reader));
            in.setReadListener(body);
            return read;
        } catch (IOException e) {
            throw brokenOff(e);
        }
    }

    /** Reads a body on the thread of the request. */
    public <T> CompletableFuture<T> readHere(HttpServletRequest request, Function<byte[], T> reader) {
        try {
            Body body = new Body(begin(request), Duration.ZERO);
            body.readAll();
            return CompletableFuture.completedFuture(body.result(reader));
        } catch (IOException e) {
            throw brokenOff(e);
        }
    }

    /** Takes a body that somebody else has read. */
    public <T> CompletableFuture<T> read(byte[] body, Function<byte[], T> reader) {
        if (body.length > maxBytes) {
            throw Refusal.tooLarge(maxBytes);
        }
        return CompletableFuture.completedFuture(reader.apply(body));
    }

    private ServletInputStream begin(HttpServletRequest request) throws IOException {
        if (request.getContentLengthLong() > mostRead()) {
            throw Refusal.tooLarge(maxBytes);
        }
        return request.getInputStream();
    }

    /** Bytes that are read of a body that is too long, and dropped: many clients read an answer only when they have sent everything. */
    private long mostRead() {
        return 2L * maxBytes;
    }

    private static Refusal brokenOff(Throwable failure) {
        LOG.debug("A body broke off", failure);
        return new Refusal(ErrorCode.INPUT_INVALID, "The body broke off. Send all of it.");
    }

    /** A body while it arrives. */
    private final class Body implements ReadListener {

        private final ServletInputStream in;
        private final Duration timeout;
        private final CompletableFuture<Void> arrived = new CompletableFuture<>();
        private ByteArrayOutputStream kept = new ByteArrayOutputStream();
        private long counted;
        private long received;

        Body(ServletInputStream in, Duration timeout) {
            this.in = in;
            this.timeout = timeout;
        }

        @Override
        public void onDataAvailable() throws IOException {
            readWhile(in::isReady);
        }

        void readAll() {
            try {
                readWhile(() -> true);
            } catch (IOException | RuntimeException e) {
                onError(e);
            }
        }

        private void readWhile(BooleanSupplier ready) throws IOException {
            byte[] block = new byte[BLOCK_BYTES];
            while (!arrived.isDone() && ready.getAsBoolean()) {
                int count = in.read(block);
                if (count < 0) {
                    onAllDataRead();
                } else {
                    keep(block, count);
                }
            }
        }

        @Override
        public void onAllDataRead() {
            arrived.complete(null);
        }

        @Override
        public void onError(Throwable failure) {
            arrived.completeExceptionally(failure);
        }

        private synchronized void keep(byte[] block, int count) {
            if (arrived.isDone()) {
                return;
            }
            received += count;
            long more = Math.max(0, received - FREE_BYTES) - counted;
            if (received > mostRead()) {
                arrived.complete(null);
            } else if (received > maxBytes) {
                release();
            } else if (arriving.addAndGet(more) > (long) BODIES * maxBytes) {
                arriving.addAndGet(-more);
                arrived.completeExceptionally(new Refusal(
                        ErrorCode.SERVER_BUSY, "The server is receiving too much data. Try again in a minute."));
            } else {
                counted += more;
                kept.write(block, 0, count);
            }
        }

        private synchronized void release() {
            arriving.addAndGet(-counted);
            counted = 0;
            kept = new ByteArrayOutputStream(0); // the container keeps this listener as long as a stream lasts
        }

        <T> T result(Function<byte[], T> reader) {
            try {
                arrived.join();
                if (received > maxBytes) {
                    throw Refusal.tooLarge(maxBytes);
                }
                return reader.apply(kept.toByteArray());
            } catch (CompletionException e) {
                Throwable cause = e.getCause();
                if (cause instanceof Refusal refusal) {
                    throw refusal;
                }
                boolean late = cause instanceof TimeoutException || cause.getCause() instanceof TimeoutException;
                throw late
                        ? new Refusal(
                                ErrorCode.BODY_TIMEOUT,
                                "The body took longer than " + timeout.toMillis()
                                        + " ms. Send it again, or less of it.")
                        : brokenOff(cause);
            } finally {
                release();
            }
        }
    }
}
