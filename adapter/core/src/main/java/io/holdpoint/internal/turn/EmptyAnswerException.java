package io.holdpoint.internal.turn;

/** The model answered with neither text nor tool calls. */
final class EmptyAnswerException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    EmptyAnswerException() {
        super("the model answered with neither text nor tool calls");
    }
}
