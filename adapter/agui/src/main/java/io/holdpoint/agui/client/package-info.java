/** A client for AG-UI servers over HTTP: sends inputs, reads streams of events. Needs the JDK and Jackson only. */
@NullMarked
package io.holdpoint.agui.client;

import org.jspecify.annotations.NullMarked;
