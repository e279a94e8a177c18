package io.holdpoint.store;

/**
 * A batch is not at the version that a write builds on, or a call was to start by a remembered decision that is revoked. The
 * commit was not written.
 */
public final class StoreConflictException extends StoreException {

    private static final long serialVersionUID = 1L;

    /** Says which batch, and which version was expected, or which decision is revoked. */
    public StoreConflictException(String message) {
        super(message);
    }
}
