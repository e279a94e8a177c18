/**
 * Meters and observations of Micrometer, which is an optional dependency: nothing else of the library needs it. Uses the root
 * package only.
 */
@NullMarked
package io.holdpoint.micrometer;

import org.jspecify.annotations.NullMarked;
