package io.holdpoint;

/** Leaves a tool that has asked a person something; see {@link ToolCallContext#interrupt}. Let it pass. */
public final class ToolInterruptedException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    /** Without a stack trace: nothing went wrong. */
    public ToolInterruptedException() {
        super("the tool has interrupted itself and waits for an answer", null, false, false);
    }
}
