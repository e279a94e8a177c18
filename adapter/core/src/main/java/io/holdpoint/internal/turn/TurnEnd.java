package io.holdpoint.internal.turn;

import io.holdpoint.store.Batch;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The end of a turn: there is one, and it waits for the tools that are running and for what is being written, because the
 * run's right to write goes with it. Thread-safe.
 */
public final class TurnEnd {

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

    /** Ends the turn without waiting for running tools, unless its outcome has been delivered. */
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

    /** Begins something that must not be cut off; throws if the turn has ended. */
    synchronized void enter() {
        if (outcome.isPresent()) {
            throw new IllegalStateException(
                    "the turn has ended; no further tool is started, and nothing is remembered");
        }
        running++;
    }

    /** Ends what {@link #enter} began; the last one delivers the outcome. */
    void leave() {
        left().ifPresent(ended);
    }

    private synchronized Optional<TurnOutcome> left() {
        running--;
        return ready();
    }

    /** The outcome: given once, when the last tool has ended. */
    private synchronized Optional<TurnOutcome> ready() {
        if (running > 0 || delivered) {
            return Optional.empty();
        }
        delivered = outcome.isPresent();
        return outcome;
    }

    /**
     * Carries an exception that is the failure of the turn, and not of a tool, out of a tool's executor. It is an
     * {@code Error}, because LangChain4j tells the model about every {@code Exception} as if it were the tool's result.
     */
    public static final class Failure extends Error {

        private static final long serialVersionUID = 1L;

        public Failure(RuntimeException cause) {
            super(cause.toString(), cause, false, false);
        }

        /** The exception without the wrapping that brought it here. */
        static Throwable unwrap(Throwable failure) {
            for (Throwable each = failure; each != null; each = each.getCause()) {
                Throwable carried = each.getCause();
                if (each instanceof Failure && carried != null) {
                    return carried;
                }
            }
            return failure;
        }
    }

    /** The end of one call of the AI Service. */
    public sealed interface TurnOutcome {

        /** Calls the method of a run that goes on from this kind of end. */
        void tell(Listener run);

        /** Goes on from every kind of end. */
        interface Listener {

            void completed(Completed turn);

            void held(Batch batch);

            void leftToClient(Batch batch);

            void stopped();

            void failed(Failed turn);
        }

        /** The AI Service answered with a value; the text is that of the final message. */
        record Completed(@Nullable Object value, String text) implements TurnOutcome {

            @Override
            public void tell(Listener run) {
                run.completed(this);
            }
        }

        /** The batch is open: a person is asked. */
        record Held(Batch batch) implements TurnOutcome {

            @Override
            public void tell(Listener run) {
                run.held(batch);
            }
        }

        /** The client has calls of the batch to execute. */
        record LeftToClient(Batch batch) implements TurnOutcome {

            @Override
            public void tell(Listener run) {
                run.leftToClient(batch);
            }
        }

        /** The turn was stopped from outside; the run knows why. */
        record Stopped() implements TurnOutcome {

            @Override
            public void tell(Listener run) {
                run.stopped();
            }
        }

        /** The turn failed. */
        record Failed(Throwable cause, Failures.Origin origin) implements TurnOutcome {

            @Override
            public void tell(Listener run) {
                run.failed(this);
            }
        }
    }
}
