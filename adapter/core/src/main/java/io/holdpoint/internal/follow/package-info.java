/**
 * Shows threads to clients that start no run: histories, live runs with their followers, the inbox of open interrupts, and
 * the snapshots that a run itself begins and ends with. Only {@code io.holdpoint.internal.run} and the public entry points call
 * it. Data comes from the store and from the events of active runs, and goes to the sinks of those who look; the text of a
 * run is flushed to the store for those of other nodes.
 */
@NullMarked
package io.holdpoint.internal.follow;

import org.jspecify.annotations.NullMarked;
