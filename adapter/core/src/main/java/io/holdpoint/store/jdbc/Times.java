package io.holdpoint.store.jdbc;

import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;

/** Instants as columns hold them: in microseconds, within the years that databases know. */
final class Times {

    private static final Instant FIRST = Instant.parse("0001-01-01T00:00:00Z");
    private static final Instant LAST = Instant.parse("9999-12-31T23:59:59Z");

    private Times() {}

    /** The microsecond that the instant is in. */
    static OffsetDateTime floor(Instant instant) {
        Instant within = instant.isBefore(FIRST) ? FIRST : instant.isAfter(LAST) ? LAST : instant;
        return within.truncatedTo(ChronoUnit.MICROS).atOffset(ZoneOffset.UTC);
    }

    /** The first microsecond that does not come before the instant, so that nothing ends too early. */
    static OffsetDateTime ceil(Instant instant) {
        OffsetDateTime floor = floor(instant);
        return floor.toInstant().isBefore(instant) && instant.isBefore(LAST) ? floor.plus(1, ChronoUnit.MICROS) : floor;
    }
}
