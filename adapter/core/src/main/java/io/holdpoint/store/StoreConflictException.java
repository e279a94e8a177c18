package io.holdpoint.store;

/**
 * A batch is not at the version that a write builds on, or a call was to start by a remembered decision that is revoked. The
 * commit was not written.
 */
public final class StoreConflictException extends StoreException {

    private static final long serialVersionUID = 1L;

    /**
     * Creates the exception.
     *
     * @param message which batch, and which version was expected, or which decision
     */
    public StoreConflictException(String message) {
        super(message);
    }
}
