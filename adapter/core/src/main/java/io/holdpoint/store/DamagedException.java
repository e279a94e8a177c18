package io.holdpoint.store;

import org.jspecify.annotations.Nullable;

/**
 * A record is there, and cannot be understood: another version wrote it, or it is corrupted. It fails in the same way each time. Only a
 * thread with such a record is given up unread when somebody cancels it; a store that is away, or slow, throws something else.
 */
public final class DamagedException extends StoreException {

    private static final long serialVersionUID = 1L;

    /** Says which record, and why. */
    public DamagedException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
