package io.holdpoint.internal.turn;

import io.holdpoint.store.Batch;
import org.jspecify.annotations.Nullable;

/** How one call of the AI Service ended. */
public sealed interface TurnOutcome {

    /**
     * It answered.
     *
     * @param value what it returned
     * @param text of the final message
     */
    record Completed(@Nullable Object value, String text) implements TurnOutcome {}

    /**
     * Its batch is held.
     *
     * @param batch the open batch
     */
    record Held(Batch batch) implements TurnOutcome {}

    /** It was stopped from outside; the run knows why. */
    record Stopped() implements TurnOutcome {}

    /**
     * The client has calls of its batch to execute.
     *
     * @param batch the batch
     */
    record LeftToClient(Batch batch) implements TurnOutcome {}

    /**
     * It failed.
     *
     * @param cause why
     * @param origin whose failure it is
     */
    record Failed(Throwable cause, Failures.Origin origin) implements TurnOutcome {}
}
