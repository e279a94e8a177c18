package io.holdpoint.agui.client;

import java.net.ConnectException;
import java.util.Optional;

/** A run that has no end of its own: the server refused it, or its stream broke off. The message is a sentence for developers. */
public class AguiClientException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final int status;
    private final transient Optional<String> code;

    AguiClientException(String message, int status, Optional<String> code, Throwable cause) {
        super(message, cause);
        this.status = status;
        this.code = code;
    }

    AguiClientException(String message, int status, Optional<String> code) {
        this(message, status, code, null);
    }

    /** Returns the status of the response; 0 if there was none, 200 if its stream broke off. */
    public int status() {
        return status;
    }

    /** Returns whether there was no connection, so that the request did not reach the server. */
    public boolean isUnreached() {
        return getCause() instanceof ConnectException;
    }

    /** Returns the {@code code} of a refusal in JSON, such as {@code "RUN_IN_PROGRESS"}; empty if it has none. */
    public Optional<String> code() {
        return code;
    }
}
