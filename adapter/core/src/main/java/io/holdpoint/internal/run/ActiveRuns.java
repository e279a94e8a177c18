package io.holdpoint.internal.run;

import io.holdpoint.Caller;
import io.holdpoint.ErrorCode;
import io.holdpoint.RunRejectedException;
import io.holdpoint.RunResult;
import io.holdpoint.internal.lease.Deadlines;
import io.holdpoint.internal.lease.RunStop;
import io.holdpoint.internal.turn.Run;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** The runs of an agent that are active in this process. Thread-safe. */
final class ActiveRuns {

    /** How long runs that were stopped may take to say so. */
    private static final Duration LAST_WORDS = Duration.ofSeconds(5);

    private final Set<Active> all = ConcurrentHashMap.newKeySet();
    private final Deadlines deadlines;
    private volatile boolean closed;

    /** Equal to itself only. */
    private static final class Active {

        private final Run run;
        private final CompletableFuture<RunResult> result;

        Active(Run run, CompletableFuture<RunResult> result) {
            this.run = run;
            this.result = result;
        }
    }

    ActiveRuns(Deadlines deadlines) {
        this.deadlines = deadlines;
    }

    /**
     * Makes sure that runs may still start.
     *
     * @throws RunRejectedException otherwise
     */
    void requireOpen() {
        if (closed) {
            throw new RunRejectedException(
                    ErrorCode.SHUTTING_DOWN,
                    "The server is shutting down. Send this again, to the server that takes its place.");
        }
    }

    /**
     * Knows a run from now on until its result is there, and sees to it that it does not take too long.
     *
     * @throws RunRejectedException if no run may start any more; it is not known then
     */
    void add(Run run, CompletableFuture<RunResult> result) {
        Active active = new Active(run, result);
        all.add(active);
        if (closed) {
            all.remove(active);
            requireOpen();
        }
        deadlines.add(run.stop());
        result.whenComplete((ended, never) -> all.remove(active));
    }

    /** A run that never began. */
    void remove(Run run) {
        all.removeIf(active -> active.run == run);
        deadlines.remove(run.stop());
    }

    /** Whether a caller has a run on a thread. */
    boolean isOf(Caller caller, String threadId) {
        return all.stream()
                .anyMatch(active -> active.run.threadId().equals(threadId)
                        && active.run.caller().id().equals(caller.id()));
    }

    /** Cancels the run of a thread; {@code false} if there is none that can be cancelled. */
    boolean cancel(String threadId) {
        return all.stream()
                .anyMatch(active -> active.run.threadId().equals(threadId)
                        && active.run.stop().request(RunStop.Reason.CANCELLED));
    }

    /** Cancels one run of a caller; {@code false} if it is not active here, or cannot be cancelled any more. */
    boolean cancel(Caller caller, String threadId, String runId) {
        return all.stream()
                .anyMatch(active -> active.run.threadId().equals(threadId)
                        && active.run.runId().equals(runId)
                        && active.run.caller().id().equals(caller.id())
                        && active.run.stop().request(RunStop.Reason.CANCELLED));
    }

    /**
     * Lets no run start any more, and stops those that do not end in time.
     *
     * @return whether none had to be stopped
     */
    boolean shutDown(Duration grace) {
        closed = true;
        if (awaitEnd(grace)) {
            return true;
        }
        all.forEach(active -> active.run.stop().request(RunStop.Reason.SHUT_DOWN));
        awaitEnd(LAST_WORDS);
        return false;
    }

    private boolean awaitEnd(Duration most) {
        CompletableFuture<?>[] results =
                all.stream().map(active -> active.result).toArray(CompletableFuture[]::new);
        try {
            CompletableFuture.allOf(results).get(most.toNanos(), TimeUnit.NANOSECONDS);
            return true;
        } catch (TimeoutException e) {
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        } catch (ExecutionException e) {
            throw new IllegalStateException("a run's result is never exceptional", e);
        }
    }
}
