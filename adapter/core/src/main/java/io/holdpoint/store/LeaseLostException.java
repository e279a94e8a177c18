package io.holdpoint.store;

/** A run that no longer has the right to write tried to. The commit was not written. */
public final class LeaseLostException extends StoreException {

    private static final long serialVersionUID = 1L;

    /** Says which lease was lost, and who has it now. */
    public LeaseLostException(String message) {
        super(message);
    }
}
