package io.holdpoint.store;

import java.time.Instant;
import java.util.Optional;

/**
 * A thread in which somebody is asked. Immutable.
 *
 * @param threadId the conversation
 * @param owner id of the caller that started it
 * @param askedAt when the first of the questions was asked that are open, as exactly as the store keeps times
 * @param batch the batch with the questions; empty if it cannot be read any more
 */
public record OpenBatch(String threadId, String owner, Instant askedAt, Optional<Batch> batch) {

    /**
     * A place in the list of all of them.
     *
     * @param askedAt of the one at this place
     * @param threadId of the one at this place
     */
    public record Position(Instant askedAt, String threadId) {

        /** Comes before all others. */
        public static final Position FIRST = new Position(Instant.MIN, "");
    }

    /**
     * Where it is in the list.
     *
     * @return the place, which stays the same as long as nobody answers
     */
    public Position position() {
        return new Position(askedAt, threadId);
    }
}
