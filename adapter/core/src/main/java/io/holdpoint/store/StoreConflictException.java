package io.holdpoint.store;

/** A batch is not at the version that a write builds on. The commit was not written. */
public final class StoreConflictException extends StoreException {

    private static final long serialVersionUID = 1L;

    /**
     * Creates the exception.
     *
     * @param message which batch, and which version was expected
     */
    public StoreConflictException(String message) {
        super(message);
    }
}
