package io.holdpoint.hook;

import io.holdpoint.RunRejectedException;
import java.time.Duration;

/**
 * Hears what runs work on, how long it takes and how it ends: for meters and spans, see the package
 * {@code io.holdpoint.micrometer}. It gets no texts, no arguments and no results.
 *
 * <p>Called on the threads that do the work, which wait: must be quick, and thread-safe. What it throws is logged and changes
 * nothing.
 */
public interface RunObserver {

    /** How a question came to its end. */
    enum Decision {
        /** A person has allowed the call. */
        APPROVED,
        /** A person has not. */
        DENIED,
        /** A person has answered a question that is no approval. */
        ANSWERED,
        /** Somebody let go of it without a decision. */
        CANCELLED,
        /** Somebody has said something else instead, or cancelled what the thread is at. */
        STEERED_AWAY,
        /** Nobody has answered in time. */
        EXPIRED
    }

    /**
     * A run has begun. Called on the thread that asked for it, which need not be one that works for it. An input that starts no
     * run ({@link RunRejectedException}) is not heard of.
     *
     * @param run which one
     * @return hears the rest of it; by default nobody
     */
    default ObservedWork started(ObservedWork.Run run) {
        return ObservedWork.NONE;
    }

    /**
     * A person is asked about a call, for the first time or again. The question is stored.
     *
     * @param toolName of the call; {@code client} for all tools of clients
     */
    default void asked(String toolName) {}

    /**
     * A question is not open any more, which is stored. It may have been asked by another process.
     *
     * @param toolName of the call; {@code client} for all tools of clients
     * @param decision how it ended
     * @param waited from the question to its end, by the agents' clocks; never negative
     */
    default void decided(String toolName, Decision decision, Duration waited) {}
}
