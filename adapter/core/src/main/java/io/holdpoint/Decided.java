package io.holdpoint;

import java.util.List;
import java.util.concurrent.CompletableFuture;

/** The outcome of an answer to one question, see {@link Holdpoint#decide}. Immutable. */
public sealed interface Decided {

    /**
     * The answer is stored and stands, and nothing of the model's message runs yet: other questions are open, or this one needs
     * further voices.
     *
     * @param open the questions that wait for an answer, in model order; empty if the store does not give them now
     */
    record Waits(List<PendingInterrupt> open) implements Decided {

        /** Copies the list. */
        public Waits {
            open = List.copyOf(open);
        }
    }

    /**
     * The answer is stored, it was the last one, and a run goes on from it, which may fail. An answer that was given before gives what it
     * led to.
     *
     * @param result completed with the end of the run; never exceptionally. It need not be waited for, and cancelling it does not
     *     stop the run
     */
    record Runs(String runId, CompletableFuture<RunResult> result) implements Decided {}

    /**
     * The answer is refused, and every question is exactly as open as before. A store that is gone in the middle leaves that unknown: then
     * give the same answer again.
     *
     * @param message what is wrong with it and what to do, for a developer; {@link ErrorCode#sentence} is for a person
     */
    record Refused(ErrorCode code, String message) implements Decided {}
}
