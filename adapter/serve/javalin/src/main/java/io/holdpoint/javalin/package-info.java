/**
 * Serves agents over HTTP with Javalin, as AG-UI endpoints. An application registers {@link io.holdpoint.javalin.AgUiPlugin}; the
 * package itself uses the public API of Holdpoint and the protocol only. Inputs come from the bodies of requests, and events go
 * to server-sent streams that never wait for a client.
 */
@NullMarked
package io.holdpoint.javalin;

import org.jspecify.annotations.NullMarked;
