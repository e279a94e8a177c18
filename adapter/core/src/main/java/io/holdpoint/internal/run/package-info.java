/**
 * One run: the AI Service with its decorators, the batch as it settles, the events. Entered through
 * {@link io.holdpoint.internal.run.AgentRuns}; asks {@code internal.resume} what an input means and {@code internal.gate}
 * what may happen.
 */
@NullMarked
package io.holdpoint.internal.run;

import org.jspecify.annotations.NullMarked;
