package io.holdpoint;

import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * Open interrupts of several threads, a page of them. Immutable.
 *
 * @param items the oldest questions first; those of one thread stand next to each other, on one page
 * @param next the cursor of the next page; empty on the last one. The next page may have no items
 */
public record Inbox(List<Item> items, Optional<String> next) {

    /** Most threads of a page. */
    public static final int MAX_THREADS = 100;

    /** Copies the list. */
    public Inbox {
        items = List.copyOf(items);
    }

    /** The threads that are looked at. */
    public enum Scope {
        /** Those that the caller started. */
        OWN,
        /** All that the caller may access, see {@link ApprovalAuthorizer#mayAccess}. */
        ACCESSIBLE
    }

    /**
     * An open interrupt.
     *
     * @param owner id of the caller that started it
     * @param expired {@code true} if the interrupt can only be denied or cancelled
     */
    public record Item(String threadId, String owner, PendingInterrupt interrupt, Instant askedAt, boolean expired) {}
}
