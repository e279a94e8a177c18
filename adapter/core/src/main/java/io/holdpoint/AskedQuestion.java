package io.holdpoint;

import java.time.Instant;

/**
 * A question of a thread, and whose thread that is. Immutable.
 *
 * @param threadId the thread, as the reader knows it
 * @param owner the id of the caller who owns the thread
 * @param askedAt the time when people were asked
 * @param expired {@code true} if the question can only be denied or cancelled any more
 */
public record AskedQuestion(
        String threadId, String owner, PendingInterrupt interrupt, Instant askedAt, boolean expired) {}
