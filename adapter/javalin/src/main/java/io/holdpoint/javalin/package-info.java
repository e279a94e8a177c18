/** Serves an agent over HTTP with Javalin, an optional dependency. Imports the public API and {@code io.holdpoint.agui}. */
@NullMarked
package io.holdpoint.javalin;

import org.jspecify.annotations.NullMarked;
