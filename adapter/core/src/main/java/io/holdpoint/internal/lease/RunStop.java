package io.holdpoint.internal.lease;

import java.util.Optional;
import java.util.concurrent.Executor;

/**
 * Stops one run from outside, whatever thread it works on. Who asks gets an answer that counts: a run that can still be
 * stopped will be, and one that cannot any more has given its thread back. Thread-safe.
 */
public final class RunStop {

    /** Why a run is stopped. */
    public enum Reason {
        /** Somebody does not want it any more: the turn is given up. */
        CANCELLED,
        /** It takes too long. What was decided and done is kept. */
        TIMED_OUT,
        /** The agent is shut down. What was decided and done is kept. */
        SHUT_DOWN,
        /** A hook failed when something was to be sent. What was decided and done is kept. */
        HOOK_FAILED
    }

    /** Can be stopped. */
    @FunctionalInterface
    public interface Stoppable {

        /**
         * Stops; called at most once for each way.
         *
         * @param atOnce whether tools that are running are not waited for
         */
        void stop(boolean atOnce);
    }

    private final Executor aside;
    private Optional<Reason> reason = Optional.empty();
    private Optional<Stoppable> work = Optional.empty();
    private Runnable whenOver = () -> {};
    private boolean atOnce;
    private boolean taken;
    private boolean over;

    /**
     * @param aside where the stopping is done: it writes to stores and clients, and must not wait for a pool that may be full of
     *     runs that hang
     */
    public RunStop(Executor aside) {
        this.aside = aside;
    }

    /**
     * Asks the run to stop. A run that is cancelled stays so, but if its tools take too long, they are not waited for.
     *
     * @return whether it can still be stopped
     */
    public boolean request(Reason why) {
        Optional<Stoppable> present;
        synchronized (this) {
            if (over) {
                return false;
            }
            boolean urgent = why == Reason.TIMED_OUT || why == Reason.SHUT_DOWN;
            if (reason.isPresent() && (atOnce || !urgent)) {
                return true;
            }
            reason = reason.or(() -> Optional.of(why));
            atOnce |= urgent;
            present = work;
        }
        present.ifPresent(this::stop);
        return true;
    }

    /** What to stop from now on; it is stopped right away if that was asked for before. */
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

    /** What to do when nobody can stop the run any more; replaces the one before. Must not block. */
    public synchronized void whenOver(Runnable action) {
        whenOver = action;
    }

    /** Why the run is to stop, if it is. */
    public synchronized Optional<Reason> reason() {
        return reason;
    }

    /** The run does what it was asked to do, so that it may end. */
    public synchronized void take() {
        taken = true;
    }

    /**
     * Ends the run, unless it was cancelled and has not done anything about it.
     *
     * @param release gives the thread back; who asks the run to stop meanwhile waits for that
     * @return whether it has ended
     */
    public synchronized boolean end(Runnable release) {
        if (reason.filter(Reason.CANCELLED::equals).isPresent() && !taken) {
            return false;
        }
        over = true;
        work = Optional.empty();
        whenOver.run();
        release.run();
        return true;
    }
}
