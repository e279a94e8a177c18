package io.holdpoint.store;

import io.holdpoint.store.Store.Cursor;
import io.holdpoint.store.Store.Retry;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** A reader of the feed of an {@link InMemoryStore}, under its lock. */
final class FeedReader {

    String holder = "";
    Instant until;
    long position;
    final Map<Long, Retry> retries = new TreeMap<>();

    FeedReader(Instant since, long position) {
        this.until = since;
        this.position = position;
    }

    List<Retry> due(Instant now) {
        return retries.values().stream()
                .filter(retry -> retry.nextAt().filter(at -> !at.isAfter(now)).isPresent())
                .sorted(Comparator.comparing(retry -> retry.nextAt().orElseThrow()))
                .limit(Cursor.MAX_RETRIES)
                .toList();
    }

    int failed() {
        return (int) retries.values().stream()
                .filter(retry -> retry.nextAt().isEmpty())
                .count();
    }
}
