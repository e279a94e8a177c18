package io.holdpoint.internal.turn;

import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * The end of a turn: there is one, and it waits for the tools that are running and for what is being written, because the
 * run's right to write goes with it. Thread-safe.
 */
final class TurnEnd {

    private final Consumer<TurnOutcome> ended;
    private Optional<TurnOutcome> outcome = Optional.empty();
    private boolean delivered;
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
            outcome = outcome.or(() -> Optional.of(how));
        }
        ready().ifPresent(ended);
    }

    /** Ends the turn without waiting for what is running, unless its outcome has been delivered. */
    void atOnceWith(TurnOutcome how) {
        TurnOutcome known;
        synchronized (this) {
            outcome = outcome.or(() -> Optional.of(how));
            if (delivered) {
                return;
            }
            delivered = true;
            known = outcome.get();
        }
        ended.accept(known);
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
        return ready();
    }

    /** The outcome, once, when nothing is running any more. */
    private synchronized Optional<TurnOutcome> ready() {
        if (running > 0 || delivered) {
            return Optional.empty();
        }
        delivered = outcome.isPresent();
        return outcome;
    }
}
