package io.holdpoint.store;

import java.time.Instant;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A thing that an agent knows in a place, such as a remembered decision on its thread: a store keeps it, finds it by its key, and forgets it
 * with its thread, but does not know what it means. Immutable.
 *
 * @param endsAt from when on it no longer counts, so that it may be purged; empty if it stays as long as its place
 * @param value JSON in ASCII, as {@link RecordJson} writes it
 */
public record Fact(Key key, Optional<Instant> endsAt, String value) {

    private static final Logger LOG = LoggerFactory.getLogger(Fact.class);

    /** The place of a fact on the thread that a commit writes to. */
    public static final String HERE = "";

    /** The beginning of places of an agent as a whole, in which an agent that works as a tool of others is with itself. */
    public static final String AGENT = "\u0001";

    /** The beginning of places of the owner of threads. */
    public static final String OWNER = "\u0002";

    /** The beginning of places of the readers of an agent's feed, see {@link FeedPlace}. */
    public static final String READER = "\u0003";

    /**
     * The key of a fact.
     *
     * @param kind of facts; only letters
     * @param place the id of a thread, {@link #HERE}, or what begins with {@link #AGENT}, {@link #OWNER} or {@link #READER}: no id of a thread does
     * @param name any text; one that is long may come back as its hash
     */
    public record Key(String kind, String place, String name) {

        /** The key on a thread, for one that is {@link #HERE}. */
        public Key on(String threadId) {
            return place.equals(HERE) ? new Key(kind, threadId, name) : this;
        }

        /** The name of the agent whose fact it is. */
        public String agent(String agent) {
            return place.startsWith(AGENT) ? Store.halting(agent) : agent;
        }
    }

    /** The fact with the number of another one added to its own. */
    Fact plus(Fact other) {
        return new Fact(key, other.endsAt, Long.toString(Long.parseLong(value) + Long.parseLong(other.value)));
    }

    /** Reads the value; empty, which the log tells, if it is damaged, or of a kind that is not known here: it must not hide the others. */
    public <T> Optional<T> read(Class<T> type) {
        try {
            return RecordJson.readKnown(value, type);
        } catch (StoreException e) {
            LOG.error("{} cannot be read and counts as absent", key, e);
            return Optional.empty();
        }
    }

    /** A kind of changes. */
    public enum How {
        /** The fact is there from now on, in the place of one that has its key. */
        PUT,
        /** Its value, a number, is added to that of the one that has its key; without that it is put. */
        ADD,
        /** There is no fact with its key any more. */
        REMOVE
    }

    /** A change of what is known. Immutable. */
    public record Change(How how, Fact fact) {

        /** The change on a thread, for one that is {@link #HERE}. */
        public Change on(String threadId) {
            return new Change(how, new Fact(fact.key.on(threadId), fact.endsAt, fact.value));
        }
    }
}
