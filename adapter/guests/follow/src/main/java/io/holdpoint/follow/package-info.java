/**
 * Threads for those who start no run: their histories, their live runs, the inbox of open questions, and the changes of
 * questions; and runs for reactive servers, and for programs without AG-UI.
 */
@NullMarked
package io.holdpoint.follow;

import org.jspecify.annotations.NullMarked;
