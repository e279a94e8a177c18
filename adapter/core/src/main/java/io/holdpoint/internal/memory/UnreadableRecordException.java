package io.holdpoint.internal.memory;

/** Something stored cannot be read: another version wrote it, or it was damaged. */
public final class UnreadableRecordException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    UnreadableRecordException(String what, RuntimeException cause) {
        super("the stored " + what + " cannot be read", cause);
    }
}
