package io.holdpoint.internal.lease;

import java.util.Optional;
import java.util.function.Supplier;

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

    /** Runs the application's code. */
    public <T> T foreign(Supplier<T> code) {
        boolean before = turns(true);
        try {
            return code.get();
        } finally {
            turns(before);
        }
    }

    /** Runs code of ours that the application's code, or LangChain4j's, has called. */
    public <T> T own(Supplier<T> code) {
        if (!isPresent()) {
            return code.get(); // the interrupt of a model's own thread is the model's business
        }
        boolean before = turns(false);
        try {
            return code.get();
        } finally {
            turns(before);
        }
    }

    public void own(Runnable code) {
        own(() -> {
            code.run();
            return true;
        });
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
