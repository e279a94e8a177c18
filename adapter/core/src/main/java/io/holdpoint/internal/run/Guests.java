package io.holdpoint.internal.run;

import io.holdpoint.Caller;
import io.holdpoint.EventSink;
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
    private boolean isClosing;

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
        for (Guest guest : all) {
            if (kind.isInstance(guest)) {
                return Optional.of(kind.cast(guest));
            }
        }
        return Optional.empty();
    }

    /** The guest of that class, which joins now if it has not yet; of an agent that is shut down it begins nothing. */
    public synchronized <G extends Guest> G joined(Class<G> kind, Supplier<G> joins) {
        Optional<G> known = find(kind);
        if (known.isPresent()) {
            return known.get();
        }
        G guest = joins.get();
        all.add(guest);
        if (isClosing) {
            guest.closing();
            guest.close();
        }
        return guest;
    }

    EventSink noticing(EventSink sink, Caller caller, String threadId) {
        EventSink noticed = sink;
        for (Guest guest : all) {
            noticed = guest.noticing(noticed, caller, threadId);
        }
        return noticed;
    }

    /** Those who follow a run that begins. */
    List<Follower> followers(Lease run) {
        List<Follower> followers = new ArrayList<>();
        for (Guest guest : all) {
            guest.follower(run).ifPresent(followers::add);
        }
        return followers;
    }

    void actOnTime() {
        all.forEach(Guest::actOnTime);
    }

    void closing() {
        synchronized (this) {
            isClosing = true;
        }
        all.forEach(Guest::closing);
    }

    void close(long deadline) {
        all.forEach(Guest::close);
        all.forEach(guest -> guest.awaitEnd(deadline));
    }
}
