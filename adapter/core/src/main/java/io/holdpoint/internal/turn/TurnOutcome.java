package io.holdpoint.internal.turn;

import io.holdpoint.store.Batch;
import org.jspecify.annotations.Nullable;

/** The end of one call of the AI Service. */
public sealed interface TurnOutcome {

    /** The AI Service returned a value, or a stream whose final message has this text. */
    record Completed(@Nullable Object value, String text) implements TurnOutcome {}

    /** The batch waits for a person. */
    record Held(Batch batch) implements TurnOutcome {}

    /** The run stopped the turn, for a reason that the run knows. */
    record Stopped() implements TurnOutcome {}

    /** The client has calls of the batch to execute. */
    record LeftToClient(Batch batch) implements TurnOutcome {}

    /** The turn failed. */
    record Failed(Throwable cause, Failures.Origin origin) implements TurnOutcome {}
}
