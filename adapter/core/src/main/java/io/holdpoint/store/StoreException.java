package io.holdpoint.store;

import org.jspecify.annotations.Nullable;

/**
 * A store could not do what it was asked to, for reasons of its own: no connection, a full disk, a table that is missing, a
 * record that cannot be read. Unless a store says otherwise, it is not known whether a write was done. After the three
 * exceptions that extend this one, nothing was written: {@link LeaseLostException}, {@link StoreConflictException} and
 * {@link HaltedException}.
 */
public class StoreException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    /** Says what was to be done, and what stood against it. */
    public StoreException(String message) {
        super(message);
    }

    /** Says the same, with its cause. */
    public StoreException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
