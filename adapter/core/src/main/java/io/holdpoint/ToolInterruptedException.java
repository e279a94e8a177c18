package io.holdpoint;

/** Leaves the body of a tool that asks a person; see {@link ToolCallContext#interrupt}. The tool lets it pass. */
public final class ToolInterruptedException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    /** Has no stack trace, because it reports no error. */
    public ToolInterruptedException() {
        super("the tool has interrupted itself and waits for an answer", null, false, false);
    }
}
