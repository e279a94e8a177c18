package io.holdpoint.store;

import io.holdpoint.store.Store.Place;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** The facts of one agent of an {@link InMemoryStore}. Thread-safe: those of an agent as a whole are also written by its tools. */
final class StoredFacts {

    /** By place, kind and name; the name is the place in the index of times. */
    private final Map<String, Map<String, Map<String, Fact>>> places = new HashMap<>();

    private final PlaceIndex ending = new PlaceIndex();
    private final Map<String, Fact.Key> indexed = new HashMap<>();

    private Map<String, Fact> of(String kind, String place) {
        return places.getOrDefault(place, Map.of()).getOrDefault(kind, Map.of());
    }

    synchronized List<Fact> list(String kind, String place) {
        return List.copyOf(of(kind, place).values());
    }

    synchronized Optional<Fact> find(Fact.Key key) {
        return Optional.ofNullable(of(key.kind(), key.place()).get(key.name()));
    }

    synchronized void change(Fact.Change change) {
        Fact fact = change.fact();
        Fact.Key key = fact.key();
        switch (change.how()) {
            case PUT -> put(fact);
            case ADD -> {
                long known = find(key).map(Fact::value).map(Long::parseLong).orElse(0L);
                put(new Fact(key, fact.endsAt(), Long.toString(known + Long.parseLong(fact.value()))));
            }
            case REMOVE -> remove(key);
        }
    }

    private void put(Fact fact) {
        Fact.Key key = fact.key();
        places.computeIfAbsent(key.place(), place -> new HashMap<>())
                .computeIfAbsent(key.kind(), kind -> new TreeMap<>())
                .put(key.name(), fact);
        index(key, fact.endsAt());
    }

    /** Says whether it was there. */
    synchronized boolean remove(Fact.Key key) {
        Map<String, Map<String, Fact>> kinds = places.getOrDefault(key.place(), Map.of());
        Map<String, Fact> facts = kinds.getOrDefault(key.kind(), Map.of());
        boolean removed = facts.containsKey(key.name());
        if (removed) {
            facts.remove(key.name());
            if (facts.isEmpty()) {
                kinds.remove(key.kind());
            }
            if (kinds.isEmpty()) {
                places.remove(key.place());
            }
            index(key, Optional.empty());
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
        List<Fact> gone = new ArrayList<>();
        places.getOrDefault(place, Map.of()).values().forEach(facts -> gone.addAll(facts.values()));
        gone.forEach(fact -> remove(fact.key()));
    }

    synchronized boolean removesEnded(Instant before) {
        Optional<Place> first = ending.firstBefore(before);
        first.ifPresent(place -> remove(indexed.get(place.threadId())));
        return first.isPresent();
    }
}
