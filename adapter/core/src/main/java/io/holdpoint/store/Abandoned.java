package io.holdpoint.store;

import java.time.Instant;

/**
 * A thread with an unfinished batch that nobody goes on with. Immutable.
 *
 * @param threadId the conversation
 * @param since when the batch changed last
 */
public record Abandoned(String threadId, Instant since) {

    /** Comes before all others. */
    public static final Abandoned FIRST = new Abandoned("", Instant.MIN);
}
