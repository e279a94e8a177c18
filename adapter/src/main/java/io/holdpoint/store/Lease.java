package io.holdpoint.store;

/**
 * The right to write to a thread: one active run per thread.
 *
 * @param threadId the conversation
 * @param runId the run that holds the right
 * @param epoch grows with every lease of the thread, so that a late writer is recognised
 */
public record Lease(String threadId, String runId, long epoch) {}
