package io.holdpoint;

import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * Open interrupts of several threads, a page of them. Immutable.
 *
 * @param items those that were asked longest ago first; those of one thread next to each other, never on two pages
 * @param next where the next page begins; empty on the last one. It may be there although nothing follows
 */
public record Inbox(List<Item> items, Optional<String> next) {

    /** Most threads of a page. */
    public static final int MAX_THREADS = 100;

    /** Copies the list. */
    public Inbox {
        items = List.copyOf(items);
    }

    /** Whose threads are looked at. */
    public enum Scope {
        /** Those that the caller started. */
        OWN,
        /** All that the caller may access, see {@link ApprovalAuthorizer#mayAccess}. */
        ACCESSIBLE
    }

    /**
     * An open interrupt.
     *
     * @param threadId the conversation
     * @param owner id of the caller that started it
     * @param interrupt what is asked
     * @param askedAt since when
     * @param expired whether it can only be cancelled any more
     */
    public record Item(String threadId, String owner, PendingInterrupt interrupt, Instant askedAt, boolean expired) {}
}
