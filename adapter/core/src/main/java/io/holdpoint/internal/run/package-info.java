/**
 * The runs of an agent, from admission through their steps to their ending. Called by {@link io.holdpoint.Holdpoint} and by the guests of the
 * agent alone.
 * Inputs come from there, and the plan for each from {@code input}; a step calls the AI Service through {@code turn} and
 * {@code aiservice}, and the ending goes to the client through {@code events} and to the caller as a result.
 */
@NullMarked
package io.holdpoint.internal.run;

import org.jspecify.annotations.NullMarked;
