package io.holdpoint.internal.servlet;

import io.holdpoint.Caller;
import io.holdpoint.ErrorCode;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.function.LongSupplier;

/**
 * The pace at which a caller may have this server do what costs others something: so often at once, and as often again in a minute, one by one. Callers
 * who need not authenticate are one caller, who may more. It is counted in memory. Thread-safe.
 */
public final class Pace {

    static final int A_MINUTE = 30;
    static final int A_MINUTE_OF_ANONYMOUS = 1_000;

    private static final long MINUTE = Duration.ofMinutes(1).toNanos();
    private static final long SECOND = Duration.ofSeconds(1).toNanos();
    private static final int CALLERS = 1_000;

    private final LongSupplier nanos;
    private final Map<String, Long> busyUntil = new HashMap<>();

    /** A pace of its own. */
    public Pace() {
        this(System::nanoTime);
    }

    Pace(LongSupplier nanos) {
        this.nanos = nanos;
    }

    /** Counts what a caller wants to do now, or refuses it. */
    void take(Exchange exchange, Caller caller) {
        long seconds = early(caller);
        if (seconds > 0) {
            exchange.response().setHeader("Retry-After", String.valueOf(seconds));
            throw new Refusal(
                    ErrorCode.TOO_MANY_REQUESTS, "This is asked for too often. Try again in " + seconds + " s.");
        }
    }

    /** Counts it, or says by how many seconds it is too early. */
    synchronized long early(Caller caller) {
        long now = nanos.getAsLong();
        if (busyUntil.size() > CALLERS) {
            busyUntil.values().removeIf(until -> until - now <= 0);
        }
        long each = MINUTE / (caller.equals(Caller.ANONYMOUS) ? A_MINUTE_OF_ANONYMOUS : A_MINUTE);
        long busy = Math.max(0, busyUntil.getOrDefault(caller.id(), now) - now) + each;
        if (busy > MINUTE) {
            return (busy - MINUTE + SECOND - 1) / SECOND;
        }
        busyUntil.put(caller.id(), now + busy);
        return 0;
    }

    /** The callers of whom something is kept. */
    synchronized int size() {
        return busyUntil.size();
    }
}
