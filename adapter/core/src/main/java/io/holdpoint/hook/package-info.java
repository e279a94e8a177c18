/** Interfaces by which an application looks into runs and takes part in them: listeners, observers, interceptors, hooks. */
@NullMarked
package io.holdpoint.hook;

import org.jspecify.annotations.NullMarked;
