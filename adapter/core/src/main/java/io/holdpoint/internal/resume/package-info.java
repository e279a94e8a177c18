/**
 * What an input on a thread means: checked against the store before anything is consumed, and turned into steps for
 * {@code internal.run} to take. Decides nothing about tools.
 */
@NullMarked
package io.holdpoint.internal.resume;

import org.jspecify.annotations.NullMarked;
