package io.holdpoint.store;

import java.time.Instant;

/**
 * One execution of a call, noted before the tool's body is entered. Immutable.
 *
 * @param runId the run that executes
 * @param arguments canonical JSON text of what is executed, after edits
 * @param startedAt when the call was claimed
 */
public record Attempt(String runId, String arguments, Instant startedAt) {}
