package io.holdpoint.store;

import java.time.Instant;
import java.util.Optional;

/**
 * The place of a reader in the feed of an agent, as a fact of the agent. A reader holds the lease of {@link #of} while it reads on and
 * writes its place. Immutable.
 *
 * @param position of the last event that it has passed; 0 if there is none
 * @param done of the last event up to which it needs none any more: it has passed them, and reads none of them again
 * @param holder id of the node that has written it
 * @param heldAt when that was
 */
public record FeedPlace(long position, long done, String holder, Instant heldAt) {

    private static final String KIND = "READER";

    /** The place of the facts of a reader itself, and what it has the lease of. */
    public static String of(String reader) {
        return Fact.READER + reader;
    }

    /**
     * Reads the place of a reader; empty if it has none.
     *
     * @throws DamagedException if it cannot be read
     */
    public static Optional<FeedPlace> read(Store store, String reader) {
        for (Fact fact : store.facts(KIND, Fact.READER)) {
            if (fact.key().name().equals(reader)) {
                return Optional.of(RecordJson.read(fact.value(), FeedPlace.class));
            }
        }
        return Optional.empty();
    }

    /** The change that writes it. */
    public Fact.Change put(String reader) {
        Fact.Key key = new Fact.Key(KIND, Fact.READER, reader);
        return new Fact.Change(Fact.How.PUT, new Fact(key, Optional.empty(), RecordJson.write(this)));
    }

    /**
     * Finds the position up to which no reader of an agent needs an event.
     *
     * @param store of the agent
     * @param since readers that no node has held since then do not count
     * @return the position; {@link Long#MAX_VALUE} if no reader counts
     */
    public static long done(Store store, Instant since) {
        long done = Long.MAX_VALUE;
        for (Fact fact : store.facts(KIND, Fact.READER)) {
            FeedPlace place = RecordJson.read(fact.value(), FeedPlace.class);
            done = place.heldAt.isBefore(since) ? done : Math.min(done, place.done);
        }
        return done;
    }
}
