package io.holdpoint.internal.servlet;

import java.util.concurrent.atomic.AtomicLong;

/**
 * Bounds what is kept of all bodies while they arrive, since many slow ones would fill the memory together. The beginning of each
 * body is free, so that long bodies of some clients do not keep out the short messages of others. Thread-safe.
 */
public final class ArrivingBytes {

    /** As many bodies of the largest length may arrive at once. */
    private static final int BODIES = 64;

    private static final int FREE = 65_536;

    private final long most;
    private final AtomicLong kept = new AtomicLong();

    public ArrivingBytes(int maxBodyBytes) {
        this.most = (long) BODIES * maxBodyBytes;
    }

    /** A body that begins to arrive. */
    public Body begin() {
        return new Body();
    }

    /** The part of one body. */
    public final class Body {

        private long size;
        private boolean over;

        private Body() {}

        /** Counts bytes before they are kept. */
        public synchronized void add(int bytes) throws Refusal {
            if (over) {
                return;
            }
            long more = counted(size + bytes) - counted(size);
            if (kept.addAndGet(more) > most) {
                kept.addAndGet(-more);
                throw Refusal.busy();
            }
            size += bytes;
        }

        /** Gives the bytes back, once; what comes afterwards does not count. */
        public synchronized void release() {
            if (!over) {
                over = true;
                kept.addAndGet(-counted(size));
            }
        }

        private static long counted(long size) {
            return Math.max(0, size - FREE);
        }
    }
}
