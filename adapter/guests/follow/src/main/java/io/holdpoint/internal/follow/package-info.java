/**
 * Shows threads to clients that start no run: histories, live runs with their followers, the inbox of open interrupts, the changes of
 * questions; and tells handlers of runs. Called by {@link io.holdpoint.follow.Follow} alone, and by the agent beside which it stands. Data comes from the store and
 * from the events of active runs, and goes to the sinks of those who look; the text of a run is flushed to the store for those of other
 * nodes.
 */
@NullMarked
package io.holdpoint.internal.follow;

import org.jspecify.annotations.NullMarked;
