package io.holdpoint.internal.run;

import io.holdpoint.Caller;
import io.holdpoint.EventSink;
import io.holdpoint.agui.Event;
import io.holdpoint.hook.Guest;
import io.holdpoint.hook.Guest.Follower;
import io.holdpoint.internal.LogText;
import io.holdpoint.store.Store.Lease;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The guests of an agent: one that fails changes nothing for its runs, for its end and for the other guests. Thread-safe. */
public final class Guests {

    private static final Logger LOG = LoggerFactory.getLogger(Guests.class);

    private final CopyOnWriteArrayList<Guest> all = new CopyOnWriteArrayList<>();
    private boolean isClosing;

    /** Adds a guest, unless it is there: several extensions may bring the same one. */
    public void add(Guest guest) {
        all.addIfAbsent(Objects.requireNonNull(guest, "an extension brought null, not a guest"));
    }

    /** Lets all who have joined begin. */
    public void begin() {
        for (Guest each : all) {
            each.begin();
        }
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
            try {
                noticed = Objects.requireNonNull(guest.noticing(noticed, caller, threadId), "no sink");
            } catch (Throwable e) { // not every language checks exceptions
                failed(guest, e);
            }
        }
        return noticed;
    }

    /** Those who follow a run that begins. */
    List<Follower> followers(Lease run) {
        List<Follower> followers = new ArrayList<>();
        for (Guest guest : all) {
            try {
                guest.follower(run).map(Guarded::new).ifPresent(followers::add);
            } catch (Throwable e) {
                failed(guest, e);
            }
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
        tell(Guest::closing);
    }

    void close(long deadline) {
        tell(Guest::close);
        tell(guest -> guest.awaitEnd(deadline));
    }

    private void tell(Consumer<Guest> what) {
        for (Guest guest : all) {
            try {
                what.accept(guest);
            } catch (Throwable e) {
                failed(guest, e);
            }
        }
    }

    private static void failed(Object who, Throwable e) {
        LOG.warn("{} failed; the agent goes on", who.getClass().getName(), LogText.silent(e));
    }

    /** Follows a run until it fails: the run goes on. */
    private static final class Guarded implements Follower {

        private final Follower follower;
        private volatile boolean hasFailed;

        Guarded(Follower follower) {
            this.follower = follower;
        }

        @Override
        public void heard(Event event) {
            if (hasFailed) {
                return;
            }
            try {
                follower.heard(event);
            } catch (Throwable e) {
                fails(e);
            }
        }

        @Override
        public boolean isReading() {
            try {
                return !hasFailed && follower.isReading();
            } catch (Throwable e) {
                fails(e);
                return false;
            }
        }

        @Override
        public void ended() {
            try {
                follower.ended();
            } catch (Throwable e) {
                fails(e);
            }
        }

        private void fails(Throwable e) {
            hasFailed = true;
            failed(follower, e);
        }
    }
}
