/**
 * The chat memory of a thread: finding it, writing a whole batch into it at once, and keeping it fit for a provider. Called by
 * {@code turn} and {@code aiservice} during a turn, and by {@code run} around it. Messages come from LangChain4j's AI Service
 * or from the stored batch, and go to the application's {@code ChatMemoryProvider}.
 */
@NullMarked
package io.holdpoint.internal.memory;

import org.jspecify.annotations.NullMarked;
