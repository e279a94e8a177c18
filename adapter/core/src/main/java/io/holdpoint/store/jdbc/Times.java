package io.holdpoint.store.jdbc;

import java.time.Instant;
import java.time.temporal.ChronoUnit;

/** Instants as columns hold them: microseconds since 1970-01-01T00:00Z, which every database has a type for. */
final class Times {

    private static final Instant FIRST = Instant.parse("0001-01-01T00:00:00Z");
    private static final Instant LAST = Instant.parse("9999-12-31T23:59:59Z");

    private Times() {}

    /** The microsecond that the instant is in. */
    static long floor(Instant instant) {
        Instant within = instant.isBefore(FIRST) ? FIRST : instant.isAfter(LAST) ? LAST : instant;
        return within.getEpochSecond() * 1_000_000 + within.getNano() / 1_000;
    }

    /** The first microsecond that does not come before the instant, so that nothing ends too early. */
    static long ceil(Instant instant) {
        long floor = floor(instant);
        return read(floor).isBefore(instant) && instant.isBefore(LAST) ? floor + 1 : floor;
    }

    static Instant read(long micros) {
        return Instant.EPOCH.plus(micros, ChronoUnit.MICROS);
    }
}
