/** A terminal client for AG-UI servers: {@link io.holdpoint.console.Console} is its program. */
@NullMarked
package io.holdpoint.console;

import org.jspecify.annotations.NullMarked;
