package io.holdpoint.hook;

import java.time.Instant;
import java.util.Optional;

/**
 * The state of a reader that hands on what an agent's audit trails say, as this server knows it. Immutable.
 *
 * @param agent name of the agent; empty if it has none
 * @param name name of the reader
 * @param waitingSince when the first event happened that it has not come to; what it has failed on and tries again does not count. Empty if
 *     there is none, or if another server is at it
 * @param undelivered the events on which it has failed so often that they are not tried again by themselves
 * @param failures how often it has failed on this server
 * @param lastError why it has failed on this server last; empty if it has not
 */
public record ReaderStatus(
        String agent,
        String name,
        Optional<Instant> waitingSince,
        int undelivered,
        long failures,
        Optional<String> lastError) {}
