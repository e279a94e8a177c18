/**
 * Meters and observations of Micrometer, which is an optional dependency: no other package of the library needs it. This
 * package uses the root package and {@code hook} only.
 */
@NullMarked
package io.holdpoint.micrometer;

import org.jspecify.annotations.NullMarked;
