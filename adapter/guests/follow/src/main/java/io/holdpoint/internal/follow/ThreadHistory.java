package io.holdpoint.internal.follow;

import io.holdpoint.Caller;
import io.holdpoint.ErrorCode;
import io.holdpoint.EventSink;
import io.holdpoint.RunRejectedException;
import io.holdpoint.ThreadStatus;
import io.holdpoint.agui.Agui;
import io.holdpoint.agui.RunEvent;
import io.holdpoint.follow.FollowSettings;
import io.holdpoint.internal.agent.AgentConfig;
import io.holdpoint.internal.input.Access;
import io.holdpoint.store.Store;
import io.holdpoint.store.Store.ThreadRecord;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Shows threads: takes no lease, asks no model, and changes nothing but the audit trail. The future is completed after the last
 * event, exceptionally if the store fails. A thread that does not exist for the caller is empty: somebody else's looks like one
 * that is not there yet. Thread-safe.
 */
public final class ThreadHistory {

    /** The most threads that a caller follows at a time, on one node. */
    private static final int MOST_OF_A_CALLER = 200;

    /** The most threads that all callers together follow whom the transport does not tell apart. */
    private static final int MOST_OF_ANONYMOUS = 1_000;

    private final AgentConfig<?> config;
    private final FollowSettings settings;
    private final LiveRuns runs;
    private final Access access;
    private final Map<String, Integer> followers = new ConcurrentHashMap<>();

    ThreadHistory(AgentConfig<?> config, FollowSettings settings, LiveRuns runs) {
        this.config = config;
        this.settings = settings;
        this.runs = runs;
        this.access = new Access(config);
    }

    /** Shows a thread as it is. */
    public CompletableFuture<ThreadStatus> show(Caller caller, String threadId, String runId, EventSink sink) {
        requireIds(threadId, runId);
        return show(
                isVisible(caller, threadId),
                new ThreadStream(config, settings, caller, threadId, runId, sink),
                threadId);
    }

    private CompletableFuture<ThreadStatus> show(boolean isVisible, ThreadStream stream, String threadId) {
        return CompletableFuture.supplyAsync(
                () -> {
                    try {
                        stream.begin();
                        return isVisible ? stream.endAsItIs(runs.find(threadId)) : stream.endEmpty();
                    } catch (RuntimeException | Error e) {
                        stream.client.close(new RunEvent.Error(LiveFollower.FAILED, ErrorCode.RUN_FAILED.name()));
                        throw e;
                    }
                },
                config.executor);
    }

    /** Shows a thread, and the run that is active on it until that ends. */
    public CompletableFuture<ThreadStatus> follow(Caller caller, String threadId, String runId, EventSink sink) {
        requireIds(threadId, runId);
        boolean isVisible = isVisible(caller, threadId);
        ThreadStream stream = new ThreadStream(config, settings, caller, threadId, runId, sink);
        if (!isVisible) {
            return show(isVisible, stream, threadId);
        }
        admit(caller);
        CompletableFuture<ThreadStatus> followed = new LiveFollower(config, settings, runs, threadId, stream).start();
        followed.whenComplete((status, failure) -> leave(caller));
        return followed.copy();
    }

    private void admit(Caller caller) {
        int most = caller.equals(Caller.ANONYMOUS) ? MOST_OF_ANONYMOUS : MOST_OF_A_CALLER;
        if (followers.merge(caller.id(), 1, Integer::sum) > most) {
            leave(caller);
            throw new RunRejectedException(
                    ErrorCode.SERVER_BUSY, "This caller follows " + most + " threads already. Close one of them.");
        }
    }

    private void leave(Caller caller) {
        followers.computeIfPresent(caller.id(), (id, open) -> open == 1 ? null : open - 1);
    }

    private static void requireIds(String threadId, String runId) {
        if (!Agui.isId(threadId) || !Agui.isId(runId)) {
            throw new RunRejectedException(
                    ErrorCode.INPUT_INVALID,
                    "threadId and runId must be ids, of at most " + Agui.MAX_ID_LENGTH + " characters.");
        }
    }

    /** Checks access. A thread whose first run has not stored anything yet belongs to that run's caller. */
    private boolean isVisible(Caller caller, String threadId) {
        Store store = config.store;
        Optional<Boolean> begun = store.active(threadId, config.clock.instant())
                .map(active -> active.lease().caller().equals(caller.id()));
        Optional<ThreadRecord> thread = store.find(threadId);
        return thread.map(known -> access.allows(caller, known)).or(() -> begun).orElse(false);
    }
}
