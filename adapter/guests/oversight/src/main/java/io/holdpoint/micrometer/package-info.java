/**
 * Meters and observations of Micrometer, which is an optional dependency: no other package of the library needs it. This
 * package uses public packages only.
 */
@NullMarked
package io.holdpoint.micrometer;

import org.jspecify.annotations.NullMarked;
