package io.holdpoint.bench;

import java.io.IOException;
import java.util.Arrays;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLongArray;

/** How long the last requests of a kind took. Thread-safe. */
final class Latencies {

    private static final int KEPT = 1 << 15;

    private final AtomicLongArray nanos = new AtomicLongArray(KEPT);
    private final AtomicInteger count = new AtomicInteger();

    /** A request. */
    interface Request {
        byte[] send() throws IOException;
    }

    byte[] of(Request request) throws IOException {
        long start = System.nanoTime();
        byte[] answer = request.send();
        nanos.set(count.getAndIncrement() & KEPT - 1, System.nanoTime() - start);
        return answer;
    }

    /** Milliseconds within which 99 of a hundred of the last requests were answered. */
    String p99(int last) {
        int end = count.get();
        long[] times = new long[Math.min(last, Math.min(end, KEPT))];
        for (int i = 0; i < times.length; i++) {
            times[i] = nanos.get(end - 1 - i & KEPT - 1);
        }
        Arrays.sort(times);
        return String.format(Locale.ROOT, "%.2f", times[Math.max(0, times.length * 99 / 100 - 1)] / 1e6);
    }
}
