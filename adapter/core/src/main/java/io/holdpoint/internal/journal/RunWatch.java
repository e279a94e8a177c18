package io.holdpoint.internal.journal;

import com.fasterxml.jackson.databind.JsonNode;
import io.holdpoint.ErrorCode;
import io.holdpoint.hook.ObservedWork;
import io.holdpoint.hook.ObservedWork.Ending;
import io.holdpoint.hook.RunObserver;
import io.holdpoint.hook.RunObserver.Decision;
import io.holdpoint.internal.agent.Observers;
import io.holdpoint.internal.question.QuestionKind;
import io.holdpoint.store.Batch;
import io.holdpoint.store.Call;
import io.holdpoint.store.Call.Answer;
import io.holdpoint.store.Call.Question;
import io.holdpoint.store.Change;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.slf4j.MDC;

/**
 * Tells observers what one run works on and asks, and logs which run a thread works for (MDC {@value #THREAD_ID} and
 * {@value #RUN_ID}). Thread-safe.
 */
public final class RunWatch {

    static final String THREAD_ID = "threadId";
    static final String RUN_ID = "runId";

    /** Stands for every tool of a client: clients name them as they like, so there is no end to the names. */
    private static final String CLIENT = "client";

    private final Observers observer;
    private final String threadId;
    private final String runId;
    private final Set<Part> open = ConcurrentHashMap.newKeySet();
    private final AtomicBoolean over = new AtomicBoolean();
    private volatile ObservedWork run = ObservedWork.NONE;

    public RunWatch(Observers observer, String threadId, String runId) {
        this.observer = observer;
        this.threadId = threadId;
        this.runId = runId;
    }

    // --- work

    /** The run begins: observers are told about its work from here on. */
    public RunWatch begins() {
        run = observer.started(new ObservedWork.Run(threadId, runId));
        return this;
    }

    /** The current thread works for the run until the scope is closed. */
    public Scope enter() {
        return new Scope(run);
    }

    /** Works for the run on the current thread. */
    public void within(Runnable work) {
        try (Scope scope = enter()) {
            work.run();
        }
    }

    public Part modelCall(String provider) {
        return start(new ObservedWork.ModelCall(provider));
    }

    public Part toolExecution(String toolName) {
        return start(new ObservedWork.ToolExecution(toolName));
    }

    private Part start(ObservedWork.Part what) {
        Part part = new Part(run.started(what));
        open.add(part);
        if (over.get()) {
            part.ended(Ending.ABANDONED);
        }
        return part;
    }

    /** The run has ended: observers are not told about what still goes on. */
    public void ended(Ending how) {
        ended(how, Optional.empty());
    }

    public void failed(ErrorCode code) {
        ended(Ending.FAILED, Optional.of(code));
    }

    private void ended(Ending how, Optional<ErrorCode> code) {
        if (over.compareAndSet(false, true)) {
            for (Part part : open) {
                part.ended(Ending.ABANDONED);
            }
            run.ended(how, code);
        }
    }

    /** A model call, or the execution of a tool. The first end counts. */
    public final class Part {

        private final ObservedWork work;
        private final AtomicBoolean ended = new AtomicBoolean();

        private Part(ObservedWork work) {
            this.work = work;
        }

        public void ended(Ending how) {
            if (ended.compareAndSet(false, true)) {
                open.remove(this);
                work.ended(how, Optional.empty());
            }
        }

        /** The current thread works on it until the scope is closed; the part may go on afterwards. */
        public Scope enter() {
            return new Scope(work);
        }
    }

    /** The time during which a thread works for the run; closed on that thread. */
    public final class Scope implements AutoCloseable {

        private final @Nullable String threadBefore = MDC.get(THREAD_ID);
        private final @Nullable String runBefore = MDC.get(RUN_ID);
        private final ObservedWork.Scope observed;

        private Scope(ObservedWork work) {
            MDC.put(THREAD_ID, threadId);
            MDC.put(RUN_ID, runId);
            observed = work.open();
        }

        @Override
        public void close() {
            observed.close();
            restore(THREAD_ID, threadBefore);
            restore(RUN_ID, runBefore);
        }

        private void restore(String key, @Nullable String before) {
            if (before == null) {
                MDC.remove(key);
            } else {
                MDC.put(key, before);
            }
        }
    }

    // --- questions

    /** A transition is stored: observers are told about the questions that it asks and of the answers that it takes. */
    void stored(Batch batch) {
        if (observer.isEmpty()) {
            return;
        }
        for (Change change : batch.changes()) {
            if (change instanceof Change.Asked asked) {
                observer.asked(toolName(asked.call()));
            } else if (change instanceof Change.Answered answered) {
                answered(answered);
            }
        }
    }

    private static String toolName(Call call) {
        return call.proposal().ofClient() ? CLIENT : call.toolName();
    }

    private void answered(Change.Answered change) {
        Question question = change.question();
        Answer answer = change.answer();
        Duration waited = Duration.between(question.askedAt(), answer.answeredAt());
        Decision decision = QuestionKind.decision(change.call(), question, answer);
        JsonNode payload = answer.payload();
        boolean isByAPerson = decision == Decision.APPROVED || decision == Decision.DENIED;
        observer.decided(new RunObserver.Decided(
                toolName(change.call()),
                decision,
                waited.isNegative() ? Duration.ZERO : waited,
                payload != null && QuestionKind.isEdited(question, payload),
                isByAPerson && QuestionKind.isTooShortToRead(QuestionKind.characters(question), waited)));
    }
}
