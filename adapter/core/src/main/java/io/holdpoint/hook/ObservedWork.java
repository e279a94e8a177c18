package io.holdpoint.hook;

import io.holdpoint.ErrorCode;
import java.util.Optional;

/**
 * A run, or a part of one, as a {@link RunObserver} is told of it: it begins, works on one thread or several, and ends once.
 * Must be thread-safe. A part that has not ended is ended before its run.
 */
public interface ObservedWork {

    /** A part of a run. */
    sealed interface Part {}

    /** A run. */
    record Run(String threadId, String runId) {}

    /**
     * The model is asked.
     *
     * @param provider LangChain4j's name of it, such as {@code OPEN_AI}; {@code OTHER} if there is none
     */
    record ModelCall(String provider) implements Part {}

    /**
     * The body of a tool is executed.
     *
     * @param toolName as the model sees it; always one that the application has
     */
    record ToolExecution(String toolName) implements Part {}

    /** The end of a run or of a part. */
    enum Ending {
        /** A run: the turn is over. */
        COMPLETED,
        /** A run: a person is asked. */
        INTERRUPTED,
        /** A run: its client has tools to execute. */
        LEFT_TO_CLIENT,
        /** A run: a caller has cancelled it. */
        CANCELLED,
        /** A model call: it has answered. */
        ANSWERED,
        /** A tool: it has returned. */
        EXECUTED,
        /** A tool: it has asked a person, and may be executed again. */
        ASKING,
        /** A run, a model call or a tool. A refused answer or message is a failed run, too. */
        FAILED,
        /** A part: its run ended before it. */
        ABANDONED
    }

    /** The time for which a thread does this work. */
    interface Scope extends AutoCloseable {

        /** Ends the scope: the thread goes back to its work of before. */
        @Override
        void close();
    }

    /** Ignores all calls. */
    ObservedWork NONE = new ObservedWork() {};

    /**
     * Reports that a part of this begins, on the thread that works on it. The returned work is told of the rest of the part; by
     * default {@link #NONE}.
     */
    default ObservedWork started(Part part) {
        return NONE;
    }

    /**
     * Reports that the current thread works on this until the scope is closed, on the same thread. Scopes of one thread are
     * closed in the reverse order.
     */
    default Scope open() {
        return () -> {};
    }

    /** Reports the end. Called once. The code is the reason why a run failed; it is empty for parts, and for other endings. */
    default void ended(Ending how, Optional<ErrorCode> code) {}
}
