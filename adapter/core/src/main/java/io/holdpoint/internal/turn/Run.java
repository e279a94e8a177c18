package io.holdpoint.internal.turn;

import dev.langchain4j.memory.ChatMemory;
import io.holdpoint.BatchMode;
import io.holdpoint.Caller;
import io.holdpoint.Limits;
import io.holdpoint.internal.agent.AgentConfig;
import io.holdpoint.internal.events.EventEmitter;
import io.holdpoint.internal.events.Progress;
import io.holdpoint.internal.events.RunOutput;
import io.holdpoint.internal.events.SharedState;
import io.holdpoint.internal.journal.AuditNotes;
import io.holdpoint.internal.journal.Journal;
import io.holdpoint.internal.journal.RunWatch;
import io.holdpoint.internal.lease.Heartbeat;
import io.holdpoint.internal.lease.RunLease;
import io.holdpoint.internal.lease.RunStop;
import io.holdpoint.store.Call;
import io.holdpoint.store.Commit;
import io.holdpoint.store.Lease;
import io.holdpoint.store.Store;
import java.time.Clock;

/**
 * One run, as everything that works for it shares it.
 *
 * @param config what the agent was built with
 * @param caller the person that the run works for
 * @param lease names thread and run, and tells whether the run may still write
 * @param stop stops the run from outside
 * @param journal writes to the store
 * @param output tells the client
 * @param watch tells observers and logs
 * @param usage counts tokens
 */
public record Run(
        AgentConfig<?> config,
        Caller caller,
        RunLease lease,
        RunStop stop,
        Journal journal,
        RunOutput output,
        RunWatch watch,
        UsageMeter usage) {

    /** A run that has just got its lease; it keeps it alive until {@link RunLease#release}. */
    public static Run begin(
            AgentConfig<?> config, Lease lease, Caller caller, EventEmitter events, Heartbeat heartbeat) {
        Store store = config.store;
        Clock clock = config.clock;
        RunStop stop = new RunStop(config.timer::aside);
        RunLease kept = RunLease.keepAlive(store, lease, clock, config.leaseDuration, heartbeat);
        kept.whenCancelled(() -> stop.request(RunStop.Reason.CANCELLED));
        RunOutput output = new RunOutput(events, config);
        RunWatch watch = new RunWatch(config.observers, lease.threadId(), lease.runId());
        Journal journal = new Journal(
                store,
                lease,
                clock,
                output,
                new AuditNotes(store, lease, clock, config.auditListener),
                config.redactor,
                watch);
        return new Run(config, caller, kept, stop, journal, output, watch, new UsageMeter());
    }

    public String threadId() {
        return lease.threadId;
    }

    public String runId() {
        return lease.runId;
    }

    /** For reading; {@link #commit} writes. */
    public Store store() {
        return config.store;
    }

    public Clock clock() {
        return config.clock;
    }

    public Limits limits() {
        return config.limits;
    }

    BatchMode mode() {
        return config.batchMode;
    }

    public EventEmitter events() {
        return output.events;
    }

    public SharedState state() {
        return output.state;
    }

    public Progress progress() {
        return output.progress;
    }

    /** The thread's memory, which takes nothing more when the lease is lost. */
    public ChatMemory memory() {
        return config.memories.of(threadId(), lease);
    }

    /** Writes a commit of the run. */
    public void commit(Commit commit) {
        journal.commit(commit);
    }

    /** Works for the run on another thread: for what must not be done on a thread of the model or of the heartbeat. */
    public void execute(Runnable work) {
        config.executor.execute(() -> watch.within(work));
    }

    Call.Attempt attempt(String arguments) {
        return new Call.Attempt(runId(), arguments, clock().instant());
    }
}
