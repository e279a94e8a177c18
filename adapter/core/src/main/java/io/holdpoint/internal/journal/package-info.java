/**
 * The only writer of a run: batch, transcript, state and audit events go to the store in one commit. Called by {@code turn} and
 * {@code run}. Commits come from them, the state and ended activities from {@code events}; the store gets
 * the whole, and observers are told about it afterwards.
 */
@NullMarked
package io.holdpoint.internal.journal;

import org.jspecify.annotations.NullMarked;
