package io.holdpoint.store;

import java.time.Instant;

/**
 * A thread that nobody goes on with. Immutable.
 *
 * @param threadId the conversation
 * @param since when the thread, or its unfinished batch, changed last
 */
public record Abandoned(String threadId, Instant since) {

    /** Comes before all others. */
    public static final Abandoned FIRST = new Abandoned("", Instant.MIN);
}
