package io.holdpoint.internal.follow;

import io.holdpoint.Caller;
import io.holdpoint.ErrorCode;
import io.holdpoint.EventSink;
import io.holdpoint.RunRejectedException;
import io.holdpoint.ThreadStatus;
import io.holdpoint.agui.Agui;
import io.holdpoint.agui.RunEvent;
import io.holdpoint.internal.agent.AgentConfig;
import io.holdpoint.internal.input.Access;
import io.holdpoint.store.Store;
import io.holdpoint.store.Store.ThreadRecord;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * Shows threads: takes no lease, asks no model, and changes nothing but the audit trail. The future is completed after the last
 * event, exceptionally if the store fails. A thread that does not exist for the caller is refused. Thread-safe.
 */
public final class ThreadHistory {

    private final AgentConfig<?> config;
    private final LiveRuns runs;
    private final Access access;

    public ThreadHistory(AgentConfig<?> config, LiveRuns runs) {
        this.config = config;
        this.runs = runs;
        this.access = new Access(config.authorizer);
    }

    /** Shows a thread as it is. */
    public CompletableFuture<ThreadStatus> show(Caller caller, String threadId, String runId, EventSink sink) {
        require(caller, threadId, runId);
        ThreadStream stream = new ThreadStream(config, caller, threadId, runId, sink);
        return CompletableFuture.supplyAsync(
                () -> {
                    try {
                        stream.begin();
                        return stream.endAsItIs(runs.find(threadId));
                    } catch (RuntimeException | Error e) {
                        stream.fail(new RunEvent.Error(Follow.FAILED, ErrorCode.RUN_FAILED.name()));
                        throw e;
                    }
                },
                config.executor);
    }

    /** Shows a thread, and the run that is active on it until that ends. */
    public CompletableFuture<ThreadStatus> follow(Caller caller, String threadId, String runId, EventSink sink) {
        require(caller, threadId, runId);
        ThreadStream stream = new ThreadStream(config, caller, threadId, runId, sink);
        return new Follow(config, runs, threadId, stream).start().copy();
    }

    private void require(Caller caller, String threadId, String runId) {
        if (!Agui.isId(threadId) || !Agui.isId(runId)) {
            throw new RunRejectedException(
                    ErrorCode.INPUT_INVALID,
                    "threadId and runId must be ids, of at most " + Agui.MAX_ID_LENGTH + " characters.");
        }
        if (!isVisible(caller, threadId)) {
            throw new RunRejectedException(ErrorCode.THREAD_NOT_FOUND, "There is no such thread.");
        }
    }

    /** Checks access. A thread whose first run has not stored anything yet belongs to that run's caller. */
    private boolean isVisible(Caller caller, String threadId) {
        Store store = config.store;
        Optional<Boolean> begun = store.active(threadId, config.clock.instant())
                .map(lease -> lease.caller().equals(caller.id()));
        Optional<ThreadRecord> thread = store.find(threadId);
        return thread.map(known -> access.allows(caller, known)).or(() -> begun).orElse(false);
    }
}
