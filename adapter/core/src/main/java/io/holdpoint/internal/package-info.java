/** Everything that is not public API. May change without notice; do not import it. */
@NullMarked
package io.holdpoint.internal;

import org.jspecify.annotations.NullMarked;
