package io.holdpoint.internal.run;

import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * The end of a turn: there is one, and it waits for the tools that are running and the memory that is being written,
 * because the run's right to write goes with it. Thread-safe.
 */
final class TurnEnd {

    private final Consumer<TurnOutcome> ended;
    private Optional<TurnOutcome> outcome = Optional.empty();
    private int running;

    TurnEnd(Consumer<TurnOutcome> ended) {
        this.ended = ended;
    }

    synchronized boolean isReached() {
        return outcome.isPresent();
    }

    /** Ends the turn, unless it has ended. If tools are running, the last of them delivers the outcome. */
    void with(TurnOutcome how) {
        synchronized (this) {
            if (outcome.isPresent()) {
                return;
            }
            outcome = Optional.of(how);
            if (running > 0) {
                return;
            }
        }
        ended.accept(how);
    }

    /**
     * Runs something that must not be cut off.
     *
     * @throws IllegalStateException if the turn has ended
     */
    <T> T notBefore(Supplier<T> body) {
        synchronized (this) {
            if (outcome.isPresent()) {
                throw new IllegalStateException(
                        "the turn has ended; no further tool is started, and nothing is remembered");
            }
            running++;
        }
        try {
            return body.get();
        } finally {
            left().ifPresent(ended);
        }
    }

    private synchronized Optional<TurnOutcome> left() {
        running--;
        return running == 0 ? outcome : Optional.empty();
    }
}
