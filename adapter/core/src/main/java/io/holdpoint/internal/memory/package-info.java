/** The chat memory: gets the whole batch at once. */
@NullMarked
package io.holdpoint.internal.memory;

import org.jspecify.annotations.NullMarked;
