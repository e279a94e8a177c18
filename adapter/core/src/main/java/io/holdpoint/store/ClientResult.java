package io.holdpoint.store;

/**
 * The result of a call that the client executed. Immutable.
 *
 * @param messageId id of the transcript's message with it
 * @param outcome {@code EXECUTED}, or {@code FAILED} if the client says so
 * @param result the result
 */
public record ClientResult(String messageId, CallState outcome, CallResult result) {}
