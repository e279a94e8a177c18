package io.holdpoint.internal.events;

/**
 * The output side of a run: its events, the shared state and the progress of its work, which both speak through the events.
 *
 * @param events the stream
 * @param state the thread's shared state
 * @param progress of tools and retrieval
 */
public record RunOutput(EventEmitter events, SharedState state, Progress progress) {}
