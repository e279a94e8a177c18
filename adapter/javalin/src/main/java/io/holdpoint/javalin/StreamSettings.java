package io.holdpoint.javalin;

import io.holdpoint.agui.Dialect;
import java.util.concurrent.Executor;

/**
 * What all streams of an endpoint have in common.
 *
 * @param dialect the form of events
 * @param bufferBytes how much may wait for a client before it is dropped
 * @param keepAlive writes comments
 * @param whenDropped called when a client was dropped because it does not read
 * @param threads where streams are written; need not be many, since nothing waits there
 */
record StreamSettings(Dialect dialect, int bufferBytes, KeepAlive keepAlive, Runnable whenDropped, Executor threads) {}
