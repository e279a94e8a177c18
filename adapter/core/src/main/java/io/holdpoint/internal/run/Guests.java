package io.holdpoint.internal.run;

import io.holdpoint.Caller;
import io.holdpoint.EventSink;
import io.holdpoint.agui.Event;
import io.holdpoint.hook.Guest;
import io.holdpoint.hook.Guest.Follower;
import io.holdpoint.store.Store.Lease;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;

/** The guests of an agent. Thread-safe. */
public final class Guests {

    private final CopyOnWriteArrayList<Guest> all = new CopyOnWriteArrayList<>();

    /** Adds a guest, unless it is there: several extensions may bring the same one. */
    public void add(Guest guest) {
        all.addIfAbsent(guest);
    }

    /** Lets all who have joined begin. */
    public void begin() {
        all.forEach(Guest::begin);
    }

    /** The guest of that class, if it has joined. */
    public <G extends Guest> Optional<G> find(Class<G> kind) {
        return all.stream().filter(kind::isInstance).map(kind::cast).findFirst();
    }

    /** The guest of that class, which joins now if it has not yet. */
    public synchronized <G extends Guest> G joined(Class<G> kind, Supplier<G> joins) {
        Optional<G> known = find(kind);
        if (known.isPresent()) {
            return known.get();
        }
        G guest = joins.get();
        all.add(guest);
        return guest;
    }

    EventSink noticing(EventSink sink, Caller caller, String threadId) {
        EventSink noticed = sink;
        for (Guest guest : all) {
            noticed = guest.noticing(noticed, caller, threadId);
        }
        return noticed;
    }

    /** All who follow a run, as one. */
    Follower follower(Lease run) {
        List<Follower> followers = new ArrayList<>();
        all.forEach(guest -> guest.follower(run).ifPresent(followers::add));
        return new Followers(List.copyOf(followers));
    }

    void actOnTime() {
        all.forEach(Guest::actOnTime);
    }

    void closing() {
        all.forEach(Guest::closing);
    }

    void close(long deadline) {
        all.forEach(Guest::close);
        all.forEach(guest -> guest.awaitEnd(deadline));
    }

    private record Followers(List<Follower> all) implements Follower {

        @Override
        public void heard(Event event) {
            for (Follower follower : all) {
                follower.heard(event);
            }
        }

        @Override
        public boolean isReading() {
            return all.stream().anyMatch(Follower::isReading);
        }

        @Override
        public void ended() {
            all.forEach(Follower::ended);
        }
    }
}
