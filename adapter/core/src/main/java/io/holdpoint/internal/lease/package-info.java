/**
 * The right to write to a thread: the lease of a run, its heartbeat, its deadline and the request to stop it. Called by the
 * {@code run} room, which begins and ends runs, and by the memory and the decorators, which ask before they write or start a
 * tool. Leases and requests to cancel come from the store and go back to it with every beat.
 */
@NullMarked
package io.holdpoint.internal.lease;

import org.jspecify.annotations.NullMarked;
