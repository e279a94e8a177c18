/** Rules about the people who decide, and about what they are told. */
@NullMarked
package io.holdpoint.people;

import org.jspecify.annotations.NullMarked;
