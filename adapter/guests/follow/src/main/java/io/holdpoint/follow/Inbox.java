package io.holdpoint.follow;

import io.holdpoint.ApprovalAuthorizer;
import io.holdpoint.AskedQuestion;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * Open interrupts of several threads, a page of them, and the threads whose run has died. Immutable.
 *
 * @param items the oldest questions first; those of one thread stand next to each other, on one page
 * @param next the cursor of the next page; empty on the last one. The next page may have no items
 * @param unfinished on the first page, whatever its limit: threads in which nobody is asked, and what was decided goes on with the next input; those
 *     that were left first, {@value #MAX_THREADS} at most
 */
public record Inbox(List<AskedQuestion> items, Optional<String> next, List<Unfinished> unfinished) {

    /** Most threads of a page. */
    public static final int MAX_THREADS = 100;

    /** Copies the lists. */
    public Inbox {
        items = List.copyOf(items);
        unfinished = List.copyOf(unfinished);
    }

    /** The threads that are looked at. */
    public enum Scope {
        /** Those that the caller started. */
        OWN,
        /** All that the caller may access, see {@link ApprovalAuthorizer#mayAccess}. */
        ACCESSIBLE
    }

    /**
     * A thread, with its owner's id, whose run has died in the middle of a turn, and the time when the run's lease ended, or of its last commit if it
     * has let the lease end.
     */
    public record Unfinished(String threadId, String owner, Instant since) {}
}
