package io.holdpoint.internal.gate;

/** Arguments that are not exactly one JSON object without repeated keys. The message says what is wrong. */
public final class MalformedArgumentsException extends Exception {

    private static final long serialVersionUID = 1L;

    MalformedArgumentsException(String message) {
        super(message);
    }
}
