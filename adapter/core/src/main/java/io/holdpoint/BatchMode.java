package io.holdpoint;

/** What happens to the other calls of a model message when somebody has to be asked about one of them. */
public enum BatchMode {

    /** Nothing of the message runs before everything is answered. Whoever decides sees what has not happened yet. */
    HOLD,

    /**
     * Calls that nobody is asked about run at once, and keep their results; the run ends with the interrupts of the others.
     * Steering away does not undo them. Results still reach the model, the memory and the client in the model's order.
     */
    EAGER
}
