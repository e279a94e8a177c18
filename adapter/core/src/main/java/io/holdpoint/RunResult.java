package io.holdpoint;

import dev.langchain4j.service.Result;
import java.lang.invoke.MethodType;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The end of a run. A plain program calls {@link #text()}, {@link #interrupts()} and {@link #failure()}, which every outcome
 * answers. Immutable.
 */
public sealed interface RunResult {

    /** Returns what the model said last: the final message, or the words beside the calls that are held; empty if it said nothing. */
    default String text() {
        return "";
    }

    /** Returns the interrupts that wait for answers, in model order; empty unless the turn is held. */
    default List<PendingInterrupt> interrupts() {
        return List.of();
    }

    /** Returns the {@link #interrupts()} that ask for the approval of a tool call. */
    default List<PendingInterrupt.Approval> approvals() {
        return interrupts().stream()
                .filter(PendingInterrupt.Approval.class::isInstance)
                .map(PendingInterrupt.Approval.class::cast)
                .toList();
    }

    /**
     * Returns the approval that the run waits for, where the program expects exactly one.
     *
     * @throws IllegalStateException if the run failed, ended without a question, or asks something else or more; the message
     *     says what there is instead
     */
    default PendingInterrupt.Approval approval() {
        orThrow();
        if (interrupts().size() != 1) {
            throw new IllegalStateException("One approval was expected. "
                    + (interrupts().isEmpty()
                            ? "Nothing is held; the model said: \"" + text()
                                    + "\". A call that was refused to the model, because of its arguments for instance, is in"
                                    + " the log."
                            : interrupts().size() + " questions are open; answer all of interrupts()."));
        }
        return interrupts().get(0).asApproval();
    }

    /**
     * Returns this result, unless the run failed.
     *
     * @throws IllegalStateException if the run was refused or failed, with its code, its message and its cause
     */
    default RunResult orThrow() {
        failure().ifPresent(failed -> {
            throw new IllegalStateException(
                    failed.code() + ": " + failed.message(), failed.cause().orElse(null));
        });
        return this;
    }

    /**
     * Returns the value that the AI Service returned, an object that LangChain4j has parsed for instance; empty unless the turn came to
     * its end with one.
     *
     * @param type the return type of the AI Service's method; for {@code Result<T>} either {@code Result} or {@code T}
     * @throws ClassCastException if the AI Service returned something else
     */
    default <T> Optional<T> value(Class<T> type) {
        return Optional.empty();
    }

    /** Returns the failure of the run; empty unless the run was refused or failed. */
    default Optional<Failed> failure() {
        return Optional.empty();
    }

    /**
     * The turn came to its end.
     *
     * @param value the value that the AI Service returned; the final {@code ChatResponse} if it returned a
     *     {@code TokenStream}; {@code null} if it returned none, or if the run called no AI Service
     * @param text the text of the final message; empty if there is none. Answers that are given again after the turn has ended
     *     get the same text again, without the value
     */
    record Completed(@Nullable Object value, String text) implements RunResult {

        @Override
        @SuppressWarnings("unchecked") // the value of a primitive type is in its box
        public <T> Optional<T> value(Class<T> type) {
            Object given = value instanceof Result<?> result && !type.isInstance(result) ? result.content() : value;
            Class<?> boxed = MethodType.methodType(type).wrap().returnType();
            return Optional.ofNullable((T) boxed.cast(given));
        }
    }

    /**
     * The turn is held until a person has answered. The calls that the interrupts are about have not run, or not to their end.
     *
     * @param interrupts the questions, in model order; all are to be answered together
     * @param text what the model said beside the calls; empty if it said nothing
     */
    record Interrupted(List<PendingInterrupt> interrupts, String text) implements RunResult {

        /** Copies the list. */
        public Interrupted {
            interrupts = List.copyOf(interrupts);
        }
    }

    /**
     * The run was refused, or it failed. After {@link ErrorCode#RUN_FAILED}, and after a timeout, a shutdown or a failure of the
     * model, all decisions and results are stored: giving the same answers again goes on from there, and
     * {@link Holdpoint#resume} without answers runs a failed turn again. (Calling {@link Holdpoint#send} again would say
     * the same thing a second time.)
     *
     * @param message what is wrong and what to do, for a developer; {@link ErrorCode#sentence} is for a person
     * @param cause the exception, if there was one; not for the client
     */
    record Failed(ErrorCode code, String message, Optional<Throwable> cause) implements RunResult {

        @Override
        public Optional<Failed> failure() {
            return Optional.of(this);
        }
    }

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

    /** The run was cancelled, see {@link Holdpoint#cancel(String)}: its turn is given up, and the thread takes a new message. */
    record Cancelled() implements RunResult {}
}
