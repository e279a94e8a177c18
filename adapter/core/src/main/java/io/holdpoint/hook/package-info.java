/** Interfaces by which an application looks into runs and takes part in them: observers and interceptors. */
@NullMarked
package io.holdpoint.hook;

import org.jspecify.annotations.NullMarked;
