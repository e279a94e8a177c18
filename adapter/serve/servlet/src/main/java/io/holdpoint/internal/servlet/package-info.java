/**
 * The endpoints of agents on the servlet API. Transports call {@link io.holdpoint.internal.servlet.AgUiEndpoints}, the rooms of the
 * library do not; it uses the public API only. Bodies become inputs, and events become streams that have a thread only while they
 * write.
 */
@NullMarked
package io.holdpoint.internal.servlet;

import org.jspecify.annotations.NullMarked;
