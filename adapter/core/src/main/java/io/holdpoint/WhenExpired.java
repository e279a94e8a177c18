package io.holdpoint;

/** The end of a question that nobody has answered. Silence never approves. */
public enum WhenExpired {
    /** The question waits on: an approval is refused from then on, and the next message settles it. */
    WAIT,
    /** The call gets its result, that it was not executed. The model is not asked, and no code of the application runs. */
    GIVE_UP,
    /**
     * The model is told that nobody answered in time, and the turn goes on, without a client: with the roles and {@code forwardedProps}
     * that are stored with the turn. Hooks that need a request must be able to do without one.
     */
    GO_ON
}
