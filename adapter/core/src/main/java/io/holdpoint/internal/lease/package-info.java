/** Who may write: the lease of a run, its heartbeat, its deadlines and its stop. */
@NullMarked
package io.holdpoint.internal.lease;

import org.jspecify.annotations.NullMarked;
