package io.holdpoint.javalin;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.function.LongSupplier;

/** A body that must have arrived after a while. A client that sends nothing at all is the server's own affair. */
final class TimedStream extends FilterInputStream {

    private final LongSupplier nanos;
    private final long start;
    private final long most;

    TimedStream(InputStream body, Duration most, LongSupplier nanos) {
        super(body);
        this.nanos = nanos;
        this.start = nanos.getAsLong();
        this.most = most.toNanos();
    }

    static final class TooSlowException extends RuntimeException {

        private static final long serialVersionUID = 1L;

        private TooSlowException() {
            super("the body is too slow", null, false, false);
        }
    }

    @Override
    public int read() throws IOException {
        requireTime();
        return super.read();
    }

    @Override
    public int read(byte[] block, int offset, int length) throws IOException {
        requireTime();
        return super.read(block, offset, length);
    }

    private void requireTime() {
        if (nanos.getAsLong() - start > most) {
            throw new TooSlowException();
        }
    }
}
