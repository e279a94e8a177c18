package io.holdpoint;

/**
 * What {@link Holdpoint#purge} did. Immutable.
 *
 * @param expired how many abandoned batches were settled as expired; their threads take new messages
 * @param removed how many finished batches were removed
 */
public record Purged(int expired, int removed) {}
