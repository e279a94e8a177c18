package io.holdpoint.internal.lease;

import java.util.Optional;

/**
 * The thread that works for a run and waits for its end, in {@code send} for instance. If the run is stopped at once, the thread
 * is interrupted in the application's code (a model, a tool), which may hang, and never in ours: an interrupt in the middle of a
 * write closes some embedded databases for everybody. Other threads only lose the interrupt that foreign code has left behind.
 */
public final class CallingThread {

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
    public interface Scope {

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
