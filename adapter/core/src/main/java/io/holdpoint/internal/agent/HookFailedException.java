package io.holdpoint.internal.agent;

/** A hook threw, or did what it may not. */
public final class HookFailedException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    /**
     * A hook threw.
     *
     * @param hook which, for the log
     * @param cause what
     */
    public HookFailedException(String hook, Throwable cause) {
        super(hook + " threw " + cause, cause);
    }

    /**
     * A hook did what it may not.
     *
     * @param message which and what, for the log
     */
    public HookFailedException(String message) {
        super(message);
    }
}
