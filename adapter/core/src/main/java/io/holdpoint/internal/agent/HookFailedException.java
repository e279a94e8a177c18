package io.holdpoint.internal.agent;

/** Reports that a hook threw, or returned something that it may not. Its message is for the log. */
public final class HookFailedException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    /** A hook threw. */
    public HookFailedException(String hook, Throwable cause) {
        super(hook + " threw " + cause, cause);
    }

    /** A hook did what it may not. */
    public HookFailedException(String message) {
        super(message);
    }
}
