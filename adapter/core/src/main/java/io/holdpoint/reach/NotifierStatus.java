package io.holdpoint.reach;

import java.time.Instant;
import java.util.Optional;

/**
 * The state of a notifier, as this server knows it. Immutable.
 *
 * @param agent name of the agent; empty if it has none
 * @param waitingSince when the first event happened that it has not been told of; empty if there is none, or if another server is at it
 * @param undelivered the notices on which it has failed for so often that they are not tried again by themselves
 * @param failures how often it has failed on this server
 * @param lastError why it has failed on this server last; empty if it has not
 */
public record NotifierStatus(
        String agent,
        String name,
        Optional<Instant> waitingSince,
        int undelivered,
        long failures,
        Optional<String> lastError) {}
