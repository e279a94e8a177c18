/** Finds the rules of this module. May use {@code people} and the rooms of core. */
@NullMarked
package io.holdpoint.internal.people;

import org.jspecify.annotations.NullMarked;
