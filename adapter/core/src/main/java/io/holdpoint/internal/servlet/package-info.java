/**
 * Streams of events on the servlet API, for all transports that stand on it: they keep no thread while nothing is to be
 * written. Transports call it, the rooms of the library do not; it uses the public API only.
 */
@NullMarked
package io.holdpoint.internal.servlet;

import org.jspecify.annotations.NullMarked;
