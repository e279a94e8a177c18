package io.holdpoint;

import io.holdpoint.hook.InputHook;

/** A run that was not started at all: no event was sent, nothing was changed. */
public final class RunRejectedException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final ErrorCode code;

    /**
     * Creates the exception.
     *
     * @param code why
     * @param message what to do about it
     */
    public RunRejectedException(ErrorCode code, String message) {
        super(message);
        this.code = code;
    }

    /**
     * Why the run was not started.
     *
     * @return {@link ErrorCode#THREAD_NOT_FOUND}, {@link ErrorCode#RUN_IN_PROGRESS}, {@link ErrorCode#INPUT_INVALID},
     *     {@link ErrorCode#SHUTTING_DOWN}, or {@link ErrorCode#INPUT_REJECTED} and whatever else an {@link InputHook} says
     */
    public ErrorCode code() {
        return code;
    }
}
