package io.holdpoint.internal.turn;

import io.holdpoint.store.Batch;
import org.jspecify.annotations.Nullable;

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
