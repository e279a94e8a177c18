package io.holdpoint.store;

/** How far a batch has come. The order of the constants is the order in which they are passed. */
public enum BatchState {
    /** Waits for answers. */
    OPEN,
    /** Nothing is left to ask; its calls may be claimed. */
    ANSWERED,
    /** Every call has its result. */
    RESULTS,
    /** The chat memory holds the assistant message and all results. */
    REMEMBERED,
    /** The model has taken up the results, or the turn was given up. Nothing more happens. */
    FINISHED
}
