/** One AI Service call, as data: its batch, what the model said, how it ended. */
@NullMarked
package io.holdpoint.internal.turn;

import org.jspecify.annotations.NullMarked;
