package io.holdpoint.store;

import io.holdpoint.store.Store.Place;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.TreeSet;
import java.util.stream.Stream;

/** Threads of an {@link InMemoryStore} by a time of theirs: what is looked for again and again is found without a look at all threads. */
final class PlaceIndex {

    static final Comparator<Place> ORDER = (one, other) -> one.at().equals(other.at())
            ? one.threadId().compareTo(other.threadId())
            : one.at().compareTo(other.at());

    private final NavigableSet<Place> places = new TreeSet<>(ORDER);
    private final Map<String, Place> byThread = new HashMap<>();

    void put(String threadId, Optional<Instant> at) {
        Place before = byThread.get(threadId);
        if (before != null && at.isPresent() && at.get().equals(before.at())) {
            return;
        }
        if (before != null) {
            places.remove(before);
            byThread.remove(threadId);
        }
        if (at.isPresent()) {
            Place place = new Place(at.get(), threadId);
            places.add(place);
            byThread.put(threadId, place);
        }
    }

    boolean isEmpty() {
        return places.isEmpty();
    }

    Optional<Place> firstBefore(Instant time) {
        return isEmpty() || !places.first().at().isBefore(time) ? Optional.empty() : Optional.of(places.first());
    }

    Stream<Place> after(Place place) {
        return places.tailSet(place, false).stream();
    }
}
