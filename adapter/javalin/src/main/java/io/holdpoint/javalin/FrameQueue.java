package io.holdpoint.javalin;

import java.io.ByteArrayOutputStream;
import java.util.ArrayDeque;
import java.util.Deque;

/** Frames that wait for a client, in order. Not thread-safe. */
final class FrameQueue {

    /** Frames are written together up to about this many bytes: one call costs more than copying them. */
    private static final int BATCH_BYTES = 32_768;

    private static final byte[] NOTHING = {};

    private final Deque<byte[]> frames = new ArrayDeque<>();
    private long bytes;

    void add(byte[] frame) {
        frames.add(frame);
        bytes += frame.length;
    }

    /** How many bytes wait. */
    long bytes() {
        return bytes;
    }

    boolean isEmpty() {
        return frames.isEmpty();
    }

    void clear() {
        frames.clear();
        bytes = 0;
    }

    /** Removes the next frames; nothing if none waits. */
    byte[] take() {
        if (frames.isEmpty()) {
            return NOTHING;
        }
        byte[] first = frames.remove();
        bytes -= first.length;
        if (frames.isEmpty() || first.length + frames.element().length > BATCH_BYTES) {
            return first;
        }
        ByteArrayOutputStream batch = new ByteArrayOutputStream((int) Math.min(first.length + bytes, BATCH_BYTES));
        batch.writeBytes(first);
        while (!frames.isEmpty() && batch.size() + frames.element().length <= BATCH_BYTES) {
            byte[] next = frames.remove();
            bytes -= next.length;
            batch.writeBytes(next);
        }
        return batch.toByteArray();
    }
}
