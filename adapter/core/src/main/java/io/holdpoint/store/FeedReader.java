package io.holdpoint.store;

import io.holdpoint.store.Store.Cursor;
import io.holdpoint.store.Store.Retry;
import java.time.Instant;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;

/** A reader of the feed of an {@link InMemoryStore}, under its lock. */
final class FeedReader {

    String holder = "";
    Instant until;
    long position;
    final NavigableMap<Long, Retry> retries = new TreeMap<>();

    FeedReader(Instant since, long position) {
        this.until = since;
        this.position = position;
    }

    List<Retry> again(long after, int limit) {
        return retries.tailMap(after, false).values().stream()
                .filter(retry -> retry.nextAt().isPresent())
                .limit(limit)
                .toList();
    }

    List<Retry> due(Instant now) {
        return retries.values().stream()
                .filter(retry -> retry.nextAt().filter(at -> !at.isAfter(now)).isPresent())
                .limit(Cursor.MAX_RETRIES)
                .toList();
    }

    int failed() {
        return (int) retries.values().stream()
                .filter(retry -> retry.nextAt().isEmpty())
                .count();
    }
}
