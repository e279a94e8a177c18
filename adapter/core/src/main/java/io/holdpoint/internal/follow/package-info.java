/** Lets others look: follows active runs, shows histories and lists what waits, without starting a run. */
@NullMarked
package io.holdpoint.internal.follow;

import org.jspecify.annotations.NullMarked;
