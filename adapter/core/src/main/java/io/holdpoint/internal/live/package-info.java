/**
 * The events of active runs, for those who did not start them: what a run has sent so far and sends further, and the stream
 * of somebody who joins in the middle. Knows neither stores nor runs. Imports the root package and {@code io.holdpoint.agui}.
 */
@NullMarked
package io.holdpoint.internal.live;

import org.jspecify.annotations.NullMarked;
