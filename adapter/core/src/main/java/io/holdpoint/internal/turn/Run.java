package io.holdpoint.internal.turn;

import dev.langchain4j.memory.ChatMemory;
import dev.langchain4j.model.ModelProvider;
import dev.langchain4j.model.output.TokenUsage;
import io.holdpoint.Caller;
import io.holdpoint.Limits;
import io.holdpoint.internal.agent.AgentConfig;
import io.holdpoint.internal.agent.OuterRun;
import io.holdpoint.internal.events.EventEmitter;
import io.holdpoint.internal.events.Progress;
import io.holdpoint.internal.events.SharedState;
import io.holdpoint.internal.journal.Audit;
import io.holdpoint.internal.journal.Journal;
import io.holdpoint.internal.journal.RunWatch;
import io.holdpoint.internal.lease.RunLease;
import io.holdpoint.internal.lease.RunStop;
import io.holdpoint.internal.memory.ChatMessageJson.UserMessageJson;
import io.holdpoint.store.Commit;
import io.holdpoint.store.DailyTokens;
import io.holdpoint.store.Store;
import io.holdpoint.store.Store.Lease;
import io.holdpoint.store.Store.ThreadRecord;
import java.time.Clock;
import java.time.LocalDate;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** One run, as everything that works for it shares it. */
public final class Run {

    public final String threadId;
    /** The thread's id as the caller's client knows it. */
    public final String clientThreadId;

    public final String runId;
    /** The person that the run works for. */
    public final Caller caller;
    /** Id of the caller that the thread belongs to. */
    public final String owner;

    /** The thread as the run found it. */
    public final Optional<ThreadRecord> found;

    public final AgentConfig<?> config;
    public final Limits limits;
    public final Clock clock;
    /** For reading; the {@link #journal} writes. */
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
    /** The user message of its turn. */
    public final UserMessageJson userMessages = new UserMessageJson();

    private final Optional<OuterRun> outer;

    /** A run that has just got its lease; it keeps it alive until it {@link #ends} or the lease is released. */
    public Run(
            AgentConfig<?> config,
            Lease lease,
            Optional<ThreadRecord> found,
            Caller caller,
            String clientThreadId,
            EventEmitter events) {
        this.config = config;
        this.found = found;
        this.caller = caller;
        this.owner = found.isPresent() ? found.get().owner() : caller.id();
        this.events = events;
        this.limits = config.limits;
        this.clock = config.clock;
        this.store = config.store;
        this.lease = RunLease.keepAlive(store, lease, clock, config.leaseDuration, config.heartbeat);
        this.threadId = this.lease.threadId;
        this.clientThreadId = clientThreadId;
        this.runId = this.lease.runId;
        this.stop = new RunStop(config.timer::aside);
        this.outer = Optional.ofNullable(config.outerRuns.get(threadId));
        if (outer.isPresent()) {
            this.lease.worksIn(outer.get().lease());
            outer.get().stop().stopsToo(stop);
        }
        this.lease.whenStopped(
                why -> stop.request(why == Store.Renewal.HALTED ? RunStop.Reason.HALTED : RunStop.Reason.CANCELLED));
        this.state = new SharedState(events, limits.stateLength());
        this.watch = new RunWatch(config.observers, threadId, runId);
        this.journal =
                new Journal(store, lease, clock, state, new Audit(config, threadId, runId, caller.id()), watch, found);
        this.progress = new Progress(
                events, config, message -> journal.later(Commit.empty().append(List.of(message))));
    }

    /** A run without a client, that settles what others have left: in the name of that caller, or else of the thread's owner. */
    public static Run withoutClient(
            AgentConfig<?> config,
            Lease lease,
            Function<String, Optional<ThreadRecord>> find,
            Optional<Caller> caller) {
        try {
            Optional<ThreadRecord> found = find.apply(lease.threadId());
            Caller by = caller.orElseGet(
                    () -> Caller.of(found.map(ThreadRecord::owner).orElse(lease.caller())));
            EventEmitter events = new EventEmitter(EventEmitter.NOBODY);
            return new Run(config, lease, found, by, lease.threadId(), events);
        } catch (RuntimeException | Error e) {
            RunLease.abandon(config.store, lease); // what is unfinished there is not known
            throw e;
        }
    }

    /** The thread's memory, which refuses writes when the lease is lost. */
    public ChatMemory memory() {
        return config.memories.of(threadId, lease);
    }

    /** The thread as it is now, with everything that the run has to write. */
    public Optional<ThreadRecord> thread() {
        journal.catchUp();
        return store.find(threadId);
    }

    /** Checks whether a tool call of the thread has that id already, or this run has streamed one that came to nothing. */
    boolean hasToolCall(String toolCallId) {
        return events.hasSentToolCall(toolCallId)
                || (journal.mayHaveCalls() && store.has(Store.IdOf.TOOL_CALL, threadId, toolCallId));
    }

    /** {@link #givesBack Gives the thread back}, with what waits to be written in the same commit; throws if that fails. */
    public void ends() {
        if (journal.isBehind() && !journal.leavesClaims()) {
            lease.releasedBy(() -> journal.commit(Commit.empty().andRelease()));
        } else {
            journal.catchUp();
            givesBack();
        }
    }

    /** Gives the thread back. If nobody is asked yet about a call of unknown outcome, its lease only ends: that is how the call is found. */
    public void givesBack() {
        if (journal.leavesClaims()) {
            lease.abandon();
        } else {
            lease.release();
        }
    }

    /** Works for the run on another thread: for what must not be done on a thread of the model or of the heartbeat. */
    public void execute(Runnable work) {
        config.executor.execute(() -> watch.within(work));
    }

    /** Counts the tokens of a model's answer, for the run, for the day of the thread's owner, and for the run in whose tool this one works. */
    public void spends(@Nullable ModelProvider provider, @Nullable String model, @Nullable TokenUsage used) {
        long tokens = usage.count(provider, model, used);
        if (tokens > 0 && limits.tokensPerDay() < Long.MAX_VALUE) {
            journal.later(DailyTokens.spent(owner, LocalDate.now(clock), tokens));
        }
        if (outer.isPresent()) {
            outer.get().spending().spends(provider, model, used);
        }
    }
}
