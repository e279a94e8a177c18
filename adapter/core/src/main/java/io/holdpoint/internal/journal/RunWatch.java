package io.holdpoint.internal.journal;

import io.holdpoint.ErrorCode;
import io.holdpoint.RunResult;
import io.holdpoint.hook.ObservedWork;
import io.holdpoint.hook.ObservedWork.Ending;
import io.holdpoint.hook.RunObserver;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.slf4j.MDC;

/**
 * What observers and logs know of the work of one run: which thread works for it at present (MDC {@value #THREAD_ID} and
 * {@value #RUN_ID}), and what on. Thread-safe.
 */
public final class RunWatch {

    static final String THREAD_ID = "threadId";
    static final String RUN_ID = "runId";

    private final RunObserver observer;
    private final String threadId;
    private final String runId;
    private final Set<Part> open = ConcurrentHashMap.newKeySet();
    private final AtomicBoolean over = new AtomicBoolean();
    private volatile ObservedWork run = ObservedWork.NONE;

    public RunWatch(RunObserver observer, String threadId, String runId) {
        this.observer = observer;
        this.threadId = threadId;
        this.runId = runId;
    }

    /** The run begins: until then, and if it never does, observers hear nothing. */
    public RunWatch begins() {
        run = observer.started(new ObservedWork.Run(threadId, runId));
        return this;
    }

    /** Works for the run on the current thread. */
    public void within(Runnable work) {
        Scope scope = enter();
        try {
            work.run();
        } finally {
            scope.close();
        }
    }

    /** The current thread works for the run until the scope is closed. */
    public Scope enter() {
        return new Scope(run);
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

    /** The run has come to its end: nothing of it goes on, as far as observers are concerned. */
    public void ended(RunResult result) {
        if (result instanceof RunResult.Failed failed) {
            ended(Ending.FAILED, Optional.of(failed.code()));
        } else {
            ended(ending(result), Optional.empty());
        }
    }

    private static Ending ending(RunResult result) {
        if (result instanceof RunResult.Interrupted) {
            return Ending.INTERRUPTED;
        }
        if (result instanceof RunResult.LeftToClient) {
            return Ending.LEFT_TO_CLIENT;
        }
        return result instanceof RunResult.Cancelled ? Ending.CANCELLED : Ending.COMPLETED;
    }

    /** The run has not got a thread. */
    public void neverRan() {
        ended(Ending.FAILED, Optional.empty());
    }

    private void ended(Ending how, Optional<ErrorCode> code) {
        if (over.compareAndSet(false, true)) {
            open.forEach(part -> part.ended(Ending.ABANDONED));
            run.ended(how, code);
        }
    }

    private static void restore(String key, @Nullable String before) {
        if (before == null) {
            MDC.remove(key);
        } else {
            MDC.put(key, before);
        }
    }

    /** A model call, or the execution of a tool. Ends once; what is said later is not heard. */
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
    }
}
