package io.holdpoint.internal.reach;

import io.holdpoint.internal.Ids;
import io.holdpoint.internal.agent.AgentConfig;
import io.holdpoint.store.AuditEvent;
import io.holdpoint.store.Commit;
import io.holdpoint.store.Fact;
import io.holdpoint.store.FeedPlace;
import io.holdpoint.store.LeaseLostException;
import io.holdpoint.store.RecordJson;
import io.holdpoint.store.Store;
import io.holdpoint.store.Store.Fed;
import io.holdpoint.store.Store.Lease;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The place of a notifier in the feed, and what it reads again: facts, which one node at a time writes, because it has the lease of them.
 * Thread-safe.
 */
final class NoticePlace {

    /** The time for which a node that has died keeps the place. */
    static final Duration INTERVAL = Duration.ofSeconds(5);

    /** The time between two signs of life of a node that works. */
    static final Duration BEAT = Duration.ofMillis(1_500);

    /** The time after which a node reads again what is stored: people may change it by SQL. */
    private static final Duration KNOWN = Duration.ofMinutes(1);

    private static final String RETRY = "RETRY";

    /** The kind of what is not tried again by itself. Whoever makes a {@link #RETRY} of it lets it begin anew. */
    private static final String UNDELIVERED = "UNDELIVERED";

    private static final String CALLER = "holdpoint:notifier";

    /** An event that a notifier has passed and failed on so often; it is read again at that time, or never by itself. */
    record Retry(long position, int attempts, Optional<Instant> nextAt, String error) {}

    private final AgentConfig<?> config;
    private final Store store;
    private final String name;
    private final String holder = Ids.run();
    private final NavigableMap<Long, Retry> retries = new TreeMap<>();
    private int undelivered;
    private FeedPlace at;
    private Instant readAt = Instant.MIN;
    private Optional<Lease> lease = Optional.empty();
    private Instant heldAt = Instant.MIN;

    /** A place that is not known is the present end of the feed, and known from now on. Fails if the store does. */
    NoticePlace(AgentConfig<?> config, String name) {
        this.config = config;
        this.store = config.store;
        this.name = name;
        long end = store.feedEnd();
        this.at = new FeedPlace(end, end, "", config.clock.instant());
        if (read().isEmpty() && take()) {
            giveBack();
        }
    }

    /**
     * Reads what is stored, as far as it may be another than what is known here; empty if it is not stored. Whoever changes what is read
     * again writes the place as well.
     */
    private Optional<FeedPlace> read() {
        Optional<FeedPlace> stored = FeedPlace.read(store, name);
        boolean isKnown = stored.equals(Optional.of(at));
        at = stored.orElse(at);
        Instant now = config.clock.instant();
        if (!isKnown || !now.isBefore(readAt.plus(KNOWN))) {
            retries.clear();
            for (Fact fact : store.facts(RETRY, FeedPlace.of(name))) {
                fact.read(Retry.class).ifPresent(retry -> retries.put(retry.position(), retry));
            }
            undelivered = store.facts(UNDELIVERED, FeedPlace.of(name)).size();
            readAt = now;
        }
        return stored;
    }

    /** Looks where the place is now, and when the first event behind it happened, also one that the feed does not give yet. */
    synchronized Optional<Instant> look() {
        read();
        return store.feed(at.position(), 1, false).stream()
                .map(Fed::event)
                .map(AuditEvent::at)
                .findFirst();
    }

    /** Takes the place, unless another node has it. */
    synchronized boolean take() {
        Instant now = config.clock.instant();
        lease = store.acquire(FeedPlace.of(name), holder, CALLER, now, now.plus(INTERVAL));
        heldAt = now;
        if (lease.isPresent()) {
            Optional<FeedPlace> stored = read();
            boolean isNews = stored.isEmpty() || !at.holder().equals(holder);
            if (isNews || !now.isBefore(at.heldAt().plus(KNOWN))) {
                write(at.position(), List.of());
            }
        }
        return lease.isPresent();
    }

    synchronized boolean isHeld() {
        return lease.isPresent();
    }

    synchronized long position() {
        return at.position();
    }

    /** Copies what is read again behind a position, in the order of the feed. */
    synchronized List<Retry> retries(long after) {
        return List.copyOf(retries.tailMap(after, false).values());
    }

    /** Finds what is read again by now. */
    synchronized List<Retry> due() {
        Instant now = config.clock.instant();
        return retries.values().stream()
                .filter(retry -> !retry.nextAt().orElse(Instant.MIN).isAfter(now))
                .toList();
    }

    /** The number of events that are not tried again by themselves. */
    synchronized int undelivered() {
        return undelivered;
    }

    /** Writes that the place has moved. */
    synchronized void put(long position) {
        write(position, List.of());
    }

    /** Writes that an event was read, for the first time or again, what is left of it, and the position of the place from now on. */
    synchronized void put(long position, Retry read, Optional<Retry> left) {
        List<Fact.Change> changes = new ArrayList<>();
        boolean stays = left.flatMap(Retry::nextAt).isPresent();
        if (retries.remove(read.position()) != null && !stays) {
            changes.add(change(Fact.How.REMOVE, RETRY, read));
        }
        if (stays) {
            retries.put(read.position(), left.get());
            changes.add(change(Fact.How.PUT, RETRY, left.get()));
        } else if (left.isPresent()) {
            undelivered++;
            Optional<Instant> now = Optional.of(config.clock.instant());
            Retry anew = new Retry(
                    read.position(), NoticeReader.AT_ONCE, now, left.get().error());
            changes.add(change(Fact.How.PUT, UNDELIVERED, anew));
        }
        write(position, changes);
    }

    private static Fact.Change change(Fact.How how, String kind, Retry retry) {
        Fact.Key key = new Fact.Key(kind, Fact.HERE, Long.toString(retry.position()));
        return new Fact.Change(how, new Fact(key, Optional.empty(), RecordJson.write(retry)));
    }

    private void write(long position, List<Fact.Change> changes) {
        if (lease.isEmpty()) {
            readAt = Instant.MIN;
            return;
        }
        Instant now = config.clock.instant();
        long passed = Math.max(position, at.position());
        long done = retries.isEmpty() ? passed : Math.min(passed, retries.firstKey() - 1);
        FeedPlace next = new FeedPlace(passed, done, holder, now);
        List<Fact.Change> all = new ArrayList<>(changes);
        all.add(next.put(name));
        Instant known = readAt;
        readAt = Instant.MIN; // unless it is known to be written
        try {
            store.commit(lease.get(), Commit.empty().change(all), now);
        } catch (LeaseLostException e) {
            giveBack(); // the store knows things of the lease
            return;
        }
        readAt = known;
        at = next;
        if (!now.isBefore(heldAt.plus(BEAT))) {
            holdOn();
        }
    }

    /** Keeps the place for longer, if nobody else has taken it. */
    synchronized void holdOn() {
        heldAt = config.clock.instant();
        lease = lease.filter(held -> store.renew(held, heldAt.plus(INTERVAL)) != Store.Renewal.LOST);
    }

    synchronized void giveBack() {
        Optional<Lease> held = lease;
        lease = Optional.empty();
        held.ifPresent(store::release);
    }
}
