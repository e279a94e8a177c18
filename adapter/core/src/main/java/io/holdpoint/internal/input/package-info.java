/** Says what an input means: reads answers and messages, checks them, and plans the run's steps. */
@NullMarked
package io.holdpoint.internal.input;

import org.jspecify.annotations.NullMarked;
