package io.holdpoint;

import java.time.Duration;

/**
 * The times for which an agent keeps what it stores. Immutable. {@code Retention.DEFAULT.withThreads(Duration.ofDays(365))}
 * changes one of them.
 *
 * <p>With the defaults, conversations and audit trails are kept for ever. Of several agents that share a store, each purges its
 * own threads only.
 *
 * @param settled how long a finished batch is kept, so that an answer that is sent again is recognised, and a remembered
 *     decision after it has expired; 24 hours by default
 * @param abandoned how long an unfinished batch waits before it is settled as expired, unless a question of it has an end that is still to come; 30
 *     days by default
 * @param threads how long an idle thread is kept: its transcript, shared state, interrupts, tool call ids,
 *     remembered decisions and chat memory; {@link #FOREVER} by default. A thread with an unfinished batch is kept until that
 *     is abandoned. The thread's id and owner stay: no other caller gets the thread, and a client cannot fill it again with the
 *     history that it has kept
 * @param audit how long the events of audit trails are kept; {@link #FOREVER} by default
 */
public record Retention(Duration settled, Duration abandoned, Duration threads, Duration audit) {

    /** Longer than any record is kept, so that all are kept. */
    public static final Duration FOREVER = Duration.ofSeconds(Long.MAX_VALUE);

    /** 24 hours, 30 days, and for ever. */
    public static final Retention DEFAULT = new Retention(Duration.ofHours(24), Duration.ofDays(30));

    /** Refuses a time that is negative or zero with an {@link IllegalArgumentException}. */
    public Retention {
        requirePositive("settled", settled);
        requirePositive("abandoned", abandoned);
        requirePositive("threads", threads);
        requirePositive("audit", audit);
    }

    private static void requirePositive(String name, Duration kept) {
        if (kept.isNegative() || kept.isZero()) {
            throw new IllegalArgumentException("Retention." + name + " must be longer than zero, but is " + kept);
        }
    }

    /** Conversations and audit trails are kept for ever. */
    public Retention(Duration settled, Duration abandoned) {
        this(settled, abandoned, FOREVER, FOREVER);
    }

    /** With another time for threads. */
    public Retention withThreads(Duration kept) {
        return new Retention(settled, abandoned, kept, audit);
    }

    /** With another time for audit trails. */
    public Retention withAudit(Duration kept) {
        return new Retention(settled, abandoned, threads, kept);
    }

    /**
     * The work of one call of {@link Holdpoint#purge}. Immutable.
     *
     * @param expired how many abandoned batches were settled as expired; their threads take new messages
     * @param auditEvents how many events were removed from audit trails
     */
    public record Purged(int expired, int removed, int threads, int auditEvents) {}
}
