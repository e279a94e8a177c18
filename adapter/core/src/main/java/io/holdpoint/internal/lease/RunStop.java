package io.holdpoint.internal.lease;

import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;

/**
 * Stops one run from outside, on whichever thread it works. The answer to a request is final: either the run is going to
 * stop, or it has given its thread back already. Thread-safe.
 */
public final class RunStop {

    /** The reason to stop a run. After all but the first, what was decided and done is kept. */
    public enum Reason {
        /** A person cancelled it: the turn is given up. */
        CANCELLED,
        /** It takes longer than a run may. */
        TIMED_OUT,
        /** The agent is shut down. */
        SHUT_DOWN,
        /** The agent is halted; tools that are running are let finish. */
        HALTED,
        /** An interceptor of events failed. */
        HOOK_FAILED
    }

    /** The work that can be stopped. */
    @FunctionalInterface
    public interface Stoppable {

        /** Stops; {@code atOnce} does not wait for tools that are running. Called at most once with each value. */
        void stop(boolean atOnce);
    }

    /** The thread that waits for the run, if it works for it as well. */
    public final CallingThread caller = new CallingThread();

    private final Executor aside;
    /** The runs of agents that work in a tool of this one. */
    private final Set<RunStop> inner = ConcurrentHashMap.newKeySet();

    private Optional<Reason> reason = Optional.empty();
    /** The last reason that counts for the inner runs as well. */
    private Optional<Reason> stopsInner = Optional.empty();

    private Optional<Stoppable> work = Optional.empty();
    private boolean atOnce;
    private boolean taken;
    private boolean over;

    /** Stops on an executor of its own, because the application's pool may be full of runs that hang. */
    public RunStop(Executor aside) {
        this.aside = aside;
    }

    /**
     * Asks the run to stop; {@code false} if it can no longer be stopped. The first reason stays, but a later urgent one makes
     * the run stop without waiting for its tools.
     */
    public boolean request(Reason why) {
        boolean urgent = why == Reason.TIMED_OUT || why == Reason.SHUT_DOWN;
        boolean isNews;
        synchronized (this) {
            if (over) {
                return false;
            }
            isNews = reason.isEmpty() || urgent && !atOnce;
            if (isNews) {
                reason = reason.or(() -> Optional.of(why));
                atOnce |= urgent;
                stopsInner = urgent || why == Reason.HALTED ? Optional.of(why) : stopsInner;
            }
        }
        if (urgent || why == Reason.HALTED) {
            inner.forEach(run -> run.request(why)); // behind the reason, for which stopsToo(...) looks
        }
        if (isNews) {
            present(urgent).ifPresent(this::stop);
        }
        return true;
    }

    /** Does the same. That the run is going to stop is noted while the thread is still its own. */
    public synchronized boolean request(Reason why, Runnable note) {
        boolean stops = request(why);
        if (stops) {
            note.run();
        }
        return stops;
    }

    private synchronized Optional<Stoppable> present(boolean urgent) {
        if (urgent && !over) {
            caller.stop();
        }
        return work;
    }

    /** Stops a run that works in a tool of this one together with it, unless this one is cancelled. */
    public void stopsToo(RunStop innerRun) {
        inner.add(innerRun);
        Optional<Reason> why;
        synchronized (this) {
            why = stopsInner;
        }
        why.ifPresent(innerRun::request);
    }

    /** Sets the work to be stopped from now on, and stops it right away if that was requested before. */
    public void stops(Stoppable next) {
        synchronized (this) {
            work = Optional.of(next);
            if (reason.isEmpty()) {
                return;
            }
        }
        stop(next);
    }

    private void stop(Stoppable present) {
        boolean now;
        synchronized (this) {
            now = atOnce;
        }
        aside.execute(() -> present.stop(now));
    }

    public synchronized Optional<Reason> reason() {
        return reason;
    }

    /** Tells whether that is why the run was told to stop. */
    public synchronized boolean isFor(Reason why) {
        return reason.isPresent() && reason.get() == why;
    }

    /** Tells whether the run was told to stop without waiting for its tools. */
    public synchronized boolean isAtOnce() {
        return atOnce;
    }

    /** Notes that a cancelled run gives its turn up now, so that it may end. */
    public synchronized void take() {
        taken = true;
    }

    /**
     * Ends the run; {@code false} if it was cancelled and has not given its turn up yet. Requests that come meanwhile wait until
     * {@code release} has given the thread back.
     */
    public synchronized boolean end(Runnable release) {
        if (isFor(Reason.CANCELLED) && !taken) {
            return false;
        }
        over = true;
        work = Optional.empty();
        release.run();
        return true;
    }

    /**
     * The thread that works for a run and waits for its end, in {@code send} for instance. If the run is stopped at once, the thread
     * is interrupted in the application's code (a model, a tool), which may hang, and never in ours: an interrupt in the middle of a
     * write closes some embedded databases for everybody. On other threads only a leftover interrupt flag is cleared.
     */
    public static final class CallingThread {

        private Optional<Thread> thread = Optional.empty();
        private boolean inForeignCode;
        private boolean stopped;
        private boolean leftInterrupted;

        /** Names the present thread, until {@link #ends}. */
        public synchronized void begins() {
            thread = Optional.of(Thread.currentThread());
        }

        /** Gives the thread back, interrupted if somebody else has interrupted it. */
        public synchronized void ends() {
            if (leftInterrupted) {
                Thread.currentThread().interrupt();
            }
            thread = Optional.empty();
        }

        /** Enters the application's code, until the scope is closed. */
        public Scope foreign() {
            return backTo(turns(true));
        }

        /** Enters code of ours that the application's code, or LangChain4j's, has called, until the scope is closed. */
        public Scope own() {
            if (!isPresent()) {
                return () -> {}; // the interrupt of a model's own thread is the model's business
            }
            return backTo(turns(false));
        }

        private Scope backTo(boolean foreign) {
            return () -> turns(foreign);
        }

        /** The time that a thread spends in one kind of code; closed on that thread. */
        @FunctionalInterface
        public interface Scope extends AutoCloseable {

            @Override
            void close();
        }

        private synchronized boolean isPresent() {
            return thread.isPresent() && thread.get() == Thread.currentThread();
        }

        private synchronized boolean turns(boolean foreign) {
            if (!isPresent()) {
                if (!foreign) {
                    Thread.interrupted();
                }
                return false;
            }
            boolean before = inForeignCode;
            inForeignCode = foreign;
            if (!foreign && Thread.interrupted() && !stopped) {
                leftInterrupted = true;
            } else if (foreign && stopped) {
                Thread.currentThread().interrupt();
            }
            return before;
        }

        /** Stops what the thread is in, and all that it enters from now on. */
        synchronized void stop() {
            stopped = true;
            if (inForeignCode) {
                thread.ifPresent(Thread::interrupt);
            }
        }
    }
}
