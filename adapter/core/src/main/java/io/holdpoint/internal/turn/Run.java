package io.holdpoint.internal.turn;

import dev.langchain4j.agent.tool.ToolSpecification;
import io.holdpoint.BatchMode;
import io.holdpoint.Caller;
import io.holdpoint.internal.agent.AgentConfig;
import io.holdpoint.internal.events.EventEmitter;
import io.holdpoint.internal.events.Progress;
import io.holdpoint.internal.events.SharedState;
import io.holdpoint.internal.journal.Journal;
import io.holdpoint.internal.journal.RunWatch;
import io.holdpoint.internal.lease.Heartbeat;
import io.holdpoint.internal.lease.RunLease;
import io.holdpoint.internal.lease.RunStop;
import io.holdpoint.store.Attempt;
import io.holdpoint.store.Commit;
import io.holdpoint.store.Lease;
import io.holdpoint.store.Store;
import java.time.Clock;
import java.util.List;
import java.util.concurrent.Executor;

/**
 * What belongs to one run.
 *
 * @param store where it writes
 * @param lease its right to write
 * @param caller who it works for
 * @param events its stream
 * @param usage its tokens
 * @param executor for what must not be done on a thread of the model
 * @param clock tells the time
 * @param audit notes what happens
 * @param mode what happens to calls of a batch that nobody is asked about
 * @param clientTools what the client offers the model
 * @param right keeps the lease alive, and tells whether it still counts
 * @param stop stops it from outside
 * @param state the thread's shared state
 * @param config of the agent
 * @param progress what clients are told of the work
 * @param watch what observers and logs are told of the work
 */
public record Run(
        Store store,
        Lease lease,
        Caller caller,
        EventEmitter events,
        UsageMeter usage,
        Executor executor,
        Clock clock,
        Journal audit,
        BatchMode mode,
        List<ToolSpecification> clientTools,
        RunLease right,
        RunStop stop,
        SharedState state,
        AgentConfig<?> config,
        Progress progress,
        RunWatch watch) {

    /** A run that has just got its lease; it keeps it alive until {@link RunLease#release}. */
    public static Run begin(
            AgentConfig<?> settings, Lease lease, Caller caller, EventEmitter events, Heartbeat heartbeat) {
        RunStop stop = new RunStop(settings.timer::aside);
        RunLease right = RunLease.keepAlive(
                settings.store, lease, settings.clock, settings.leaseDuration, heartbeat);
        right.whenCancelled(() -> stop.request(RunStop.Reason.CANCELLED));
        RunWatch watch = new RunWatch(settings.observers, lease.threadId(), lease.runId());
        return new Run(
                settings.store,
                lease,
                caller,
                events,
                new UsageMeter(),
                work -> settings.executor.execute(() -> watch.within(work)),
                settings.clock,
                new Journal(settings.store, lease, settings),
                settings.batchMode,
                List.of(),
                right,
                stop,
                new SharedState(events, settings.limits.stateLength()),
                settings,
                new Progress(events, settings),
                watch);
    }

    /** The same run, with what its client offers the model. */
    public Run withClientTools(List<ToolSpecification> specifications) {
        return new Run(
                store,
                lease,
                caller,
                events,
                usage,
                executor,
                clock,
                audit,
                mode,
                specifications,
                right,
                stop,
                state,
                config,
                progress,
                watch);
    }

    public String threadId() {
        return lease.threadId();
    }

    public String runId() {
        return lease.runId();
    }

    /** Writes, together with what the audit trail says about it, the thread's state if it has changed, and activities. */
    public void commit(Commit commit) {
        state.storeWith(progress.with(commit), complete -> audit.commit(complete, clock.instant()));
    }

    Attempt attempt(String arguments) {
        return new Attempt(runId(), arguments, clock.instant());
    }
}
