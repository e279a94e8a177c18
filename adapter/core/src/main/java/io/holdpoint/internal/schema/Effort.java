package io.holdpoint.internal.schema;

import java.util.Optional;
import java.util.function.Function;

/**
 * How much work a check may be: counted in steps, not in time, so that the same answer always gives the same result. The
 * steps of one check are counted on the thread that makes it. Thread-safe.
 */
final class Effort {

    /** Some tenths of a second; an approval with large arguments takes a hundredth of it. */
    static final int MAX_STEPS = 20_000_000;

    private static final ThreadLocal<Effort> CURRENT = new ThreadLocal<>();

    private long left;
    private Optional<RuntimeException> givenUp = Optional.empty();

    private Effort(long steps) {
        this.left = steps;
    }

    /** It is more work than it may be. */
    static final class ExceededException extends RuntimeException {

        private static final long serialVersionUID = 1L;

        ExceededException() {
            super("takes too many steps", null, false, false);
        }
    }

    /**
     * Does something within a number of steps.
     *
     * @throws ExceededException if they do not suffice
     */
    static <T> T within(long steps, Function<Effort, T> work) {
        Effort effort = new Effort(steps);
        CURRENT.set(effort);
        try {
            return work.apply(effort);
        } finally {
            CURRENT.remove();
        }
    }

    /** The effort that steps count towards; outside of {@link #within} one of its own. */
    static Effort current() {
        Effort current = CURRENT.get();
        return current != null ? current : new Effort(MAX_STEPS);
    }

    void steps(long count) {
        left -= count;
        if (left < 0) {
            throw giveUp(new ExceededException());
        }
    }

    /** Gives the check up. */
    RuntimeException giveUp(RuntimeException reason) {
        givenUp = Optional.of(reason);
        return reason;
    }

    /** To be asked at the end: who worked may have caught the exception and gone on. */
    void requireNotGivenUp() {
        givenUp.ifPresent(reason -> {
            throw reason;
        });
    }
}
