package io.holdpoint.mcp;

/** A server was told of a call, and has not said what became of it. The message is a sentence for people. */
final class OutcomeUnknownException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    OutcomeUnknownException(String message, Throwable cause) {
        super(message, cause);
    }
}
