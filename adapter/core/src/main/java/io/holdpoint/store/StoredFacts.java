package io.holdpoint.store;

import io.holdpoint.store.Store.Place;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;

/** The facts of one agent of an {@link InMemoryStore}. Thread-safe: those of an agent as a whole are also written by its tools. */
final class StoredFacts {

    /** By place, and there by kind and name. */
    private final Map<String, NavigableMap<String, Fact>> places = new HashMap<>();

    private final PlaceIndex ending = new PlaceIndex();
    private final Map<String, Fact.Key> indexed = new HashMap<>();

    private static String id(Fact.Key key) {
        return key.kind() + ' ' + key.name();
    }

    synchronized List<Fact> list(String kind, String place) {
        NavigableMap<String, Fact> facts = places.get(place);
        return facts == null
                ? List.of()
                : List.copyOf(facts.subMap(kind + ' ', kind + '!').values());
    }

    synchronized Optional<Fact> find(Fact.Key key) {
        NavigableMap<String, Fact> facts = places.get(key.place());
        return facts == null ? Optional.empty() : Optional.ofNullable(facts.get(id(key)));
    }

    synchronized void change(Fact.Change change) {
        Fact fact = change.fact();
        Optional<Fact> known = find(fact.key());
        remove(fact.key());
        if (change.how() != Fact.How.REMOVE) {
            boolean adds = change.how() == Fact.How.ADD && known.isPresent();
            Fact next = adds ? known.get().plus(fact) : fact;
            places.computeIfAbsent(fact.key().place(), place -> new TreeMap<>()).put(id(fact.key()), next);
            index(fact.key(), next.endsAt());
        }
    }

    /** Says whether it was there. */
    synchronized boolean remove(Fact.Key key) {
        NavigableMap<String, Fact> facts = places.get(key.place());
        boolean removed = facts != null && facts.remove(id(key)) != null;
        if (removed) {
            index(key, Optional.empty());
            if (facts.isEmpty()) {
                places.remove(key.place());
            }
        }
        return removed;
    }

    private void index(Fact.Key key, Optional<Instant> endsAt) {
        String id = key.toString();
        ending.put(id, endsAt);
        if (endsAt.isPresent()) {
            indexed.put(id, key);
        } else {
            indexed.remove(id);
        }
    }

    synchronized void forget(String place) {
        List.copyOf(places.getOrDefault(place, new TreeMap<>()).values()).forEach(fact -> remove(fact.key()));
    }

    synchronized boolean removesEnded(Instant before) {
        Optional<Place> first = ending.firstBefore(before);
        return first.isPresent() && remove(indexed.get(first.get().threadId()));
    }
}
