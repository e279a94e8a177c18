/** Adds up what the audit trail says. Only {@code io.holdpoint.internal.run} and the public entry points call it. */
@NullMarked
package io.holdpoint.internal.reach;

import org.jspecify.annotations.NullMarked;
