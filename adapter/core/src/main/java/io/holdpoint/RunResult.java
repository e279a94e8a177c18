package io.holdpoint;

import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** How a run ended. */
public sealed interface RunResult {

    /**
     * The turn came to its end.
     *
     * @param value what the AI Service returned; the final {@code ChatResponse} if it returned a {@code TokenStream};
     *     {@code null} if it returned nothing, or if nothing was to be done
     * @param text the text of the final message; empty if there is none
     */
    record Completed(@Nullable Object value, String text) implements RunResult {}

    /**
     * The turn is held: somebody is asked before it goes on. What that is about has not run, or not to its end.
     *
     * @param interrupts what a person is asked, in model order; all are to be answered together
     */
    record Interrupted(List<PendingInterrupt> interrupts) implements RunResult {

        /** Copies the list. */
        public Interrupted {
            interrupts = List.copyOf(interrupts);
        }
    }

    /**
     * The run was refused, or it failed. After {@link ErrorCode#RUN_FAILED}, and after a
     * timeout, a shutdown or a failure of the model, what was decided and done is stored: giving the
     * same answers again goes on from there, and {@link Holdpoint#resume} without answers runs a turn again that failed
     * before. (Calling {@link Holdpoint#send} again would say the same thing a second time.)
     *
     * @param code why
     * @param message what happened, safe to be shown
     * @param cause the exception, if there was one; not for the client
     */
    record Failed(ErrorCode code, String message, Optional<Throwable> cause) implements RunResult {}

    /**
     * The turn goes on when the client has executed tools of its own, and sent their results in the next input.
     *
     * @param toolCallIds the calls that are left to it, in model order
     */
    record LeftToClient(List<String> toolCallIds) implements RunResult {

        /** Copies the list. */
        public LeftToClient {
            toolCallIds = List.copyOf(toolCallIds);
        }
    }

    /** The run was cancelled, see {@link Holdpoint#cancel}: its turn is given up, and the thread can go on. */
    record Cancelled() implements RunResult {}
}
