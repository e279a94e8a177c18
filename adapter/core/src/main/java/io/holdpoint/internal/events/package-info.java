/**
 * Sends the events of a run: text and reasoning of the model, tool calls and results, the shared state, steps and activities.
 * The rooms {@code turn}, {@code aiservice} and {@code run} call it, with objects of their own for each run. Events go through
 * the interceptors to the followers and the client's sink; changed state and ended activities go to the store with the commits
 * of the run.
 */
@NullMarked
package io.holdpoint.internal.events;

import org.jspecify.annotations.NullMarked;
