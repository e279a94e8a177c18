package io.holdpoint;

/**
 * Reports that a run was not started: no event was sent, and the thread is unchanged. A hook of the application that throws it
 * later, a function that chooses the run's model for instance, ends the run with this code and message.
 */
public final class RunRejectedException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final ErrorCode code;

    /** Creates the exception. */
    public RunRejectedException(ErrorCode code, String message) {
        super(message);
        this.code = code;
    }

    /** Returns the reason why the run was not started: one of those that {@link ErrorCode} names for it, or another one that a hook has chosen. */
    public ErrorCode code() {
        return code;
    }
}
