package io.holdpoint;

/** The handling of the other calls of a model message when a person has to be asked about one of them. */
public enum BatchMode {

    /** No call of the message runs before all questions are answered. The person decides while no call has had any effect. */
    HOLD,

    /**
     * Calls that need no answer run at once, and keep their results; the run ends with the interrupts of the others.
     * Steering away does not undo them. Results still reach the model, the memory and the client in the model's order.
     */
    EAGER
}
