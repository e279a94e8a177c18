package io.holdpoint.internal.gate;

import io.holdpoint.Caller;

/**
 * The run in which a call is decided about.
 *
 * @param caller who its calls are for
 * @param threadId the conversation
 * @param runId the run
 */
public record CallScope(Caller caller, String threadId, String runId) {}
