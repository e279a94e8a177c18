package io.holdpoint.follow;

import io.holdpoint.store.AuditEvent;
import java.util.List;
import java.util.Optional;

/**
 * Decisions of several threads, a page of them. Immutable.
 *
 * @param items the newest first
 * @param next the place before which the next page ends; empty on the last one
 */
public record Decisions(List<Item> items, Optional<Long> next) {

    /** The places of the feed that a page looks at. */
    public static final int LOOKED_AT = 1_000;

    /** Most decisions of a page. */
    public static final int MAX_ITEMS = 100;

    /** Copies the list. */
    public Decisions {
        items = List.copyOf(items);
    }

    /**
     * A decision.
     *
     * @param threadId as its reader knows it
     * @param owner id of the caller who owns the thread
     * @param event of the kind {@code DECIDED} or {@code EXPIRED}, with the caller who decided
     */
    public record Item(String threadId, String owner, AuditEvent event) {}
}
