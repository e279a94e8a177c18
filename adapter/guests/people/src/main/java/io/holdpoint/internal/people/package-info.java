/** Reads what annotations say: the rules of this module, and questions to people. May use {@code people} and the rooms of core. */
@NullMarked
package io.holdpoint.internal.people;

import org.jspecify.annotations.NullMarked;
