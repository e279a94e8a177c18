/**
 * Streams of events on the servlet API, for all transports that stand on it: they have a thread only while they write. Transports call it, the rooms of the library do not; it uses the public API only.
 */
@NullMarked
package io.holdpoint.internal.servlet;

import org.jspecify.annotations.NullMarked;
