package io.holdpoint.hook;

import io.holdpoint.ErrorCode;
import java.util.Optional;

/**
 * A run, or a part of one, that a {@link RunObserver} hears of: it begins, works on one thread or several, and ends once.
 * Must be thread-safe. Whatever a part has not ended is ended before the run.
 */
public interface ObservedWork {

    /** What is worked on. */
    sealed interface Part {}

    /**
     * A run.
     *
     * @param threadId the conversation
     * @param runId the run
     */
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

    /** How it ended. */
    enum Ending {
        /** A run: the turn is over. */
        COMPLETED,
        /** A run: somebody is asked. */
        INTERRUPTED,
        /** A run: its client has tools to execute. */
        LEFT_TO_CLIENT,
        /** A run: somebody has cancelled it. */
        CANCELLED,
        /** A model call: it has answered. */
        ANSWERED,
        /** A tool: it has returned. */
        EXECUTED,
        /** A tool: it has asked something, and will be executed again or not. */
        ASKING,
        /** A run, a model call or a tool. A refused answer or message is a failed run, too. */
        FAILED,
        /** A part: its run ended before it. */
        ABANDONED
    }

    /** For as long as a thread does this work. */
    interface Scope extends AutoCloseable {

        /** The thread does what it did before. */
        @Override
        void close();
    }

    /** Hears nothing. */
    ObservedWork NONE = new ObservedWork() {};

    /**
     * A part of this begins, on the thread that works on it.
     *
     * @param part which one
     * @return hears the rest of it; by default nobody
     */
    default ObservedWork started(Part part) {
        return NONE;
    }

    /**
     * The current thread works on this from now on. Scopes of one thread are closed in the reverse order.
     *
     * @return closed on the same thread
     */
    default Scope open() {
        return () -> {};
    }

    /**
     * It is over. Called once.
     *
     * @param how it ended
     * @param code why a run failed; empty for parts, and otherwise
     */
    default void ended(Ending how, Optional<ErrorCode> code) {}
}
