/**
 * The AG-UI 1.0 protocol: events, messages, run inputs and interrupts as records, with their JSON and their server-sent frames.
 * Any code may call it, clients too: it knows neither LangChain4j nor the rest of Holdpoint. Inputs come from HTTP bodies, and
 * events go to the streams of clients; stored messages are written and read here too.
 */
@NullMarked
package io.holdpoint.agui;

import org.jspecify.annotations.NullMarked;
