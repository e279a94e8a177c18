/** People are reached where they are: {@link io.holdpoint.reach.Reach}, notifiers, what they are told, and links. */
@NullMarked
package io.holdpoint.reach;

import org.jspecify.annotations.NullMarked;
