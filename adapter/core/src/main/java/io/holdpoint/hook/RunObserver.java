package io.holdpoint.hook;

import io.holdpoint.RunRejectedException;
import io.holdpoint.RunResult;
import io.holdpoint.store.AuditEvent;
import java.time.Duration;
import java.util.function.Consumer;

/**
 * Is told of runs, and of their parts, when they begin and how they end: for applications that react to runs, and for meters and
 * spans. It gets no texts, no arguments and no results of parts; the audit trail has them.
 *
 * <p>It is called on the threads that do the work, which wait: must be quick, and thread-safe. An exception is logged and has
 * no other effect.
 */
public interface RunObserver {

    /** The end of a question. */
    enum Decision {
        /** A person has allowed the call. */
        APPROVED,
        /** A person has denied the call. */
        DENIED,
        /** A person has answered a question that is no approval, or has edited a call that somebody else has to approve. */
        ANSWERED,
        /** A caller has cancelled it without a decision. */
        CANCELLED,
        /** The user has sent another message instead, or a caller has cancelled the thread's work. */
        STEERED_AWAY,
        /** No answer came in time. */
        EXPIRED
    }

    /**
     * Reports that a run has begun, on the thread that asked for it, which need not be one that works for it. The returned work
     * is told of the rest of the run; by default {@link ObservedWork#NONE}. An input that starts no run
     * ({@link RunRejectedException}) is not reported.
     */
    default ObservedWork started(ObservedWork.Run run) {
        return ObservedWork.NONE;
    }

    /** Reports that a run has its thread. It may still be refused, because of a bad answer for instance. */
    default void started(RunInfo run) {}

    /**
     * Reports that a run has ended: once for each that had its thread, after its last event was sent and before the future of
     * {@link io.holdpoint.Holdpoint#run} completes. The next run on the thread may have started already.
     */
    default void ended(RunInfo run, RunResult result) {}

    /**
     * Reports that a person is asked about a call, for the first time or again. The question is stored. {@code toolName} is the
     * tool of the call, {@code client} for all tools of clients.
     */
    default void asked(String toolName) {}

    /**
     * The end of a question.
     *
     * @param toolName the tool of the call; {@code client} for all tools of clients
     * @param waited the time from the question to its end, by the agents' clocks; never negative
     * @param edited whether the call was approved with other arguments than were shown
     * @param quick whether a person approved or denied faster than the question can be read, at 25 characters a second
     */
    record Decided(String toolName, Decision decision, Duration waited, boolean edited, boolean quick) {}

    /** Reports that a question is no longer open, which is stored. Another process may have asked it. */
    default void decided(Decided what) {}

    /**
     * Reports an event of the audit trail after it was stored, in order, with the arguments that the agent's {@link ArgumentRedactor} has
     * left. If a store fails in a way that leaves open whether it has written, nothing is reported, though the trail may have the event. An
     * answer that is refused is no event: it has changed no thread, and a client must not be able to fill the trail with answers.
     */
    default void stored(AuditEvent event) {}

    /** Returns an observer of the audit trail only, see {@link #stored}. */
    static RunObserver ofTrail(Consumer<AuditEvent> observer) {
        return new RunObserver() {
            @Override
            public void stored(AuditEvent event) {
                observer.accept(event);
            }
        };
    }

    /**
     * Reports how a reader is doing that hands on what the audit trails say, whenever this server has looked for something to hand on. It is
     * called on the reader's thread.
     */
    default void reader(ReaderStatus status) {}
}
