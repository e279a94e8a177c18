package io.holdpoint.javalin;

import io.holdpoint.internal.servlet.ArrivingBytes;
import io.holdpoint.internal.servlet.Refusal;
import jakarta.servlet.ReadListener;
import jakarta.servlet.ServletInputStream;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;

/**
 * A body while it arrives. No thread waits for it: what has come is kept up to a limit. The rest of a longer one is read as a
 * stream, by one thread that may wait.
 */
final class ArrivingBody extends InputStream implements ReadListener {

    private static final int BLOCK_BYTES = 8_192;

    private final ServletInputStream in;
    private final ArrivingBytes.Body counted;
    private final int most;
    private final long deadline;
    private final ByteArrayOutputStream kept = new ByteArrayOutputStream();
    private final CompletableFuture<Boolean> arrived = new CompletableFuture<>();
    private InputStream beginning;
    private boolean unready;

    ArrivingBody(ServletInputStream in, ArrivingBytes.Body counted, int most, Duration timeout) {
        this.in = in;
        this.counted = counted;
        this.most = most;
        this.deadline = System.nanoTime() + timeout.toNanos();
    }

    /** The body did not arrive in time. */
    static final class TooSlowException extends IOException {

        private static final long serialVersionUID = 1L;
    }

    /**
     * Starts to read. The future says whether the whole body has come, or only as much as is kept; it fails with
     * {@link TooSlowException} on one of the given threads, with a {@link Refusal}, or with the container's exception.
     */
    CompletableFuture<Boolean> arrived(Executor threads) {
        arrived.copy()
                .orTimeout(Math.max(0, deadline - System.nanoTime()), TimeUnit.NANOSECONDS)
                .exceptionally(
                        late -> { // the timer's own thread serves the whole JVM and must not wait for a client
                            if (!arrived.isDone()) {
                                threads.execute(() -> arrived.completeExceptionally(new TooSlowException()));
                            }
                            return null;
                        });
        in.setReadListener(this);
        return arrived;
    }

    /** Gives the whole body, once it has come. */
    byte[] bytes() {
        return kept.toByteArray();
    }

    @Override
    public void onDataAvailable() throws IOException {
        if (arrived.isDone()) {
            wake();
            return;
        }
        byte[] block = new byte[BLOCK_BYTES];
        while (kept.size() <= most) {
            if (!in.isReady()) {
                return;
            }
            int count = in.read(block);
            if (count < 0) {
                arrived.complete(true);
                return;
            }
            try {
                counted.add(count);
            } catch (Refusal busy) {
                arrived.completeExceptionally(busy);
                return;
            }
            kept.write(block, 0, count);
        }
        arrived.complete(false);
    }

    @Override
    public void onAllDataRead() {
        arrived.complete(true);
        wake();
    }

    @Override
    public void onError(Throwable failure) {
        arrived.completeExceptionally(failure);
        wake();
    }

    private synchronized void wake() {
        unready = false;
        notifyAll();
    }

    @Override
    public int read() throws IOException {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    /** Gives what is kept, then waits for more. */
    @Override
    public int read(byte[] block, int offset, int length) throws IOException {
        if (beginning == null) {
            beginning = new ByteArrayInputStream(kept.toByteArray());
        }
        int count = beginning.read(block, offset, length);
        if (count >= 0) {
            return count;
        }
        awaitMore();
        return in.read(block, offset, length);
    }

    private synchronized void awaitMore() throws IOException {
        unready = true;
        while (!in.isReady()) {
            while (unready) {
                long nanos = deadline - System.nanoTime();
                if (nanos <= 0) {
                    throw new TooSlowException();
                }
                try {
                    TimeUnit.NANOSECONDS.timedWait(this, nanos);
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                    throw new InterruptedIOException();
                }
            }
            unready = true;
        }
        if (System.nanoTime() > deadline) {
            throw new TooSlowException();
        }
    }
}
