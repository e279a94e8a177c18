package io.holdpoint.internal.turn;

import dev.langchain4j.memory.ChatMemory;
import io.holdpoint.Caller;
import io.holdpoint.Limits;
import io.holdpoint.internal.agent.AgentConfig;
import io.holdpoint.internal.events.EventEmitter;
import io.holdpoint.internal.events.Progress;
import io.holdpoint.internal.events.SharedState;
import io.holdpoint.internal.journal.AuditNotes;
import io.holdpoint.internal.journal.Journal;
import io.holdpoint.internal.journal.RunWatch;
import io.holdpoint.internal.lease.Heartbeat;
import io.holdpoint.internal.lease.RunLease;
import io.holdpoint.internal.lease.RunStop;
import io.holdpoint.store.Commit;
import io.holdpoint.store.Store;
import io.holdpoint.store.Store.Lease;
import java.time.Clock;

/** One run, as everything that works for it shares it. */
public final class Run {

    public final String threadId;
    /** The thread's id as the caller's client knows it. */
    public final String clientThreadId;

    public final String runId;
    /** The person that the run works for. */
    public final Caller caller;

    public final AgentConfig<?> config;
    public final Limits limits;
    public final Clock clock;
    /** For reading; {@link #commit} writes. */
    public final Store store;
    /** The run's right to write. */
    public final RunLease lease;
    /** Stops the run from outside. */
    public final RunStop stop;
    /** Tells the client: events, the shared state, and work in progress. */
    public final EventEmitter events;

    public final SharedState state;
    public final Progress progress;
    /** Tells observers and logs. */
    public final RunWatch watch;
    /** The only writer. */
    public final Journal journal;
    /** The tokens that the run has used. */
    public final UsageMeter usage = new UsageMeter();

    /** A run that has just got its lease; it keeps it alive until {@link RunLease#release}. */
    public Run(
            AgentConfig<?> config,
            Lease lease,
            Caller caller,
            String clientThreadId,
            EventEmitter events,
            Heartbeat heartbeat) {
        this.config = config;
        this.caller = caller;
        this.events = events;
        this.limits = config.limits;
        this.clock = config.clock;
        this.store = config.store;
        this.lease = RunLease.keepAlive(store, lease, clock, config.leaseDuration, heartbeat);
        this.threadId = this.lease.threadId;
        this.clientThreadId = clientThreadId;
        this.runId = this.lease.runId;
        this.stop = new RunStop(config.timer::aside);
        this.lease.whenCancelled(() -> stop.request(RunStop.Reason.CANCELLED));
        this.state = new SharedState(events, limits.stateLength());
        this.progress = new Progress(events, config);
        this.watch = new RunWatch(config.observers, threadId, runId);
        this.journal = new Journal(
                store,
                lease,
                clock,
                state,
                progress,
                new AuditNotes(store, lease, clock, config.auditListener),
                config.redactor,
                watch);
    }

    /** The thread's memory, which takes nothing more when the lease is lost. */
    public ChatMemory memory() {
        return config.memories.of(threadId, lease);
    }

    /** Writes a commit of the run. */
    public void commit(Commit commit) {
        journal.commit(commit);
    }

    /** Works for the run on another thread: for what must not be done on a thread of the model or of the heartbeat. */
    public void execute(Runnable work) {
        config.executor.execute(() -> watch.within(work));
    }
}
