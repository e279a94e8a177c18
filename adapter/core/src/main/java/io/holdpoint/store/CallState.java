package io.holdpoint.store;

/** How far a tool call has come. */
public enum CallState {
    /** Proposed by the model. If the call has a question, it waits for the answer; otherwise it may be claimed. */
    PENDING,
    /** Its question is answered; the answer says whether it may be claimed. */
    DECIDED,
    /** Taken for execution, right before the tool's body is entered. Without a result, the outcome is unknown. */
    CLAIMED,
    /** The body ran and returned. */
    EXECUTED,
    /** The body was entered, or was about to be, and ended with an error. */
    FAILED,
    /** The body was never entered and never will be. */
    NOT_EXECUTED;

    /**
     * Whether nothing more happens to the call.
     *
     * @return {@code true} if the call has its result
     */
    public boolean isSettled() {
        return this == EXECUTED || this == FAILED || this == NOT_EXECUTED;
    }
}
