/**
 * The AG-UI 1.0 protocol as records: events, messages, run input, interrupts, with a Jackson codec and SSE frames.
 *
 * <p>Nothing here knows about LangChain4j or about the rest of Holdpoint; this package imports nothing of ours.
 */
@NullMarked
package io.holdpoint.agui;

import org.jspecify.annotations.NullMarked;
