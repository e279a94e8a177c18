package io.holdpoint.store;

/**
 * The right to write to a thread: one active run per thread, for a limited time that the run extends as long as it lives.
 *
 * @param threadId the conversation
 * @param runId the run that holds the right
 * @param caller id of the caller that the run works for; a thread that the run creates is theirs
 * @param epoch grows with every lease of the thread, so that a late writer is recognised
 */
public record Lease(String threadId, String runId, String caller, long epoch) {}
