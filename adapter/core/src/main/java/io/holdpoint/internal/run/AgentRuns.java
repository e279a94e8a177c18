package io.holdpoint.internal.run;

import io.holdpoint.Caller;
import io.holdpoint.Decided;
import io.holdpoint.ErrorCode;
import io.holdpoint.EventSink;
import io.holdpoint.RunRejectedException;
import io.holdpoint.RunResult;
import io.holdpoint.agui.RunAgentInput;
import io.holdpoint.hook.ObservedWork.Ending;
import io.holdpoint.internal.Ids;
import io.holdpoint.internal.agent.AgentConfig;
import io.holdpoint.internal.agent.HookFailedException;
import io.holdpoint.internal.agent.Hooks.RunHooks;
import io.holdpoint.internal.agent.SharedStores;
import io.holdpoint.internal.aiservice.AiServiceFactory;
import io.holdpoint.internal.aiservice.StartupCheck;
import io.holdpoint.internal.events.EventEmitter;
import io.holdpoint.internal.follow.Inboxes;
import io.holdpoint.internal.follow.LiveRuns;
import io.holdpoint.internal.follow.LiveRuns.LiveRun;
import io.holdpoint.internal.follow.ThreadHistory;
import io.holdpoint.internal.gate.ClientTool;
import io.holdpoint.internal.gate.Gate;
import io.holdpoint.internal.input.Preflight;
import io.holdpoint.internal.journal.RunWatch;
import io.holdpoint.internal.lease.Heartbeat;
import io.holdpoint.internal.turn.ClientContext;
import io.holdpoint.internal.turn.Run;
import io.holdpoint.store.Store;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;

/**
 * An agent at work: starts its runs, and has one instance of all that they share. Building it fails if the AI Service cannot
 * work as it is configured. Thread-safe.
 */
public final class AgentRuns<A> {

    public final ActiveRuns active;
    public final VisibleThreads threads;
    public final ThreadHistory history;
    public final Inboxes inboxes;
    public final Purge purge;
    public final Timekeeper timekeeper;

    private static final CompletableFuture<Void> NOBODY_ASKS = CompletableFuture.completedFuture(null);

    /** An answer is stored in milliseconds; a run that works for longer is not waited for. */
    private static final int MOST_ATTEMPTS = 25;

    private static final long PAUSE = TimeUnit.MILLISECONDS.toNanos(20);

    private final AgentConfig<A> config;
    private final AiServiceFactory<A> services;
    private final Admission admission;
    private final Preflight together;
    private final Preflight oneByOne;
    private final Gate gate;
    private final Heartbeat heartbeat;
    private final LiveRuns live = new LiveRuns();
    private final AtomicBoolean isUnused = new AtomicBoolean(true);

    public AgentRuns(AgentConfig<A> config) {
        this.config = config;
        this.services = new AiServiceFactory<>(config, StartupCheck.of(config));
        this.admission = new Admission(config);
        this.together = new Preflight(config, Preflight.Answers.TOGETHER);
        this.oneByOne = new Preflight(config, Preflight.Answers.ONE_BY_ONE);
        this.gate = new Gate(config.clock);
        this.heartbeat = new Heartbeat(config.timer, config.leaseDuration);
        this.active = new ActiveRuns(config, heartbeat);
        this.threads = new VisibleThreads(config);
        this.history = new ThreadHistory(config, live);
        this.inboxes = new Inboxes(config);
        this.purge = new Purge(config, heartbeat, active::isOpen);
        this.timekeeper = new Timekeeper(config, heartbeat, active::isOpen, this::goOn);
        timekeeper.looksFromNowOn();
    }

    /** Starts a run on an executor: the agent's own, or the calling thread, which a streaming model leaves. The result is never exceptional. */
    public CompletableFuture<RunResult> start(Caller caller, RunAgentInput given, EventSink sink, Executor executor) {
        open();
        RunAgentInput input;
        try {
            input = admission.take(caller, given);
        } catch (HookFailedException e) {
            return CompletableFuture.completedFuture(RunEnding.beforeItBegan(given, new EventEmitter(sink), e));
        }
        // may be refused, so it comes before the lease
        ClientContext offered = input.context().isEmpty() && input.tools().isEmpty()
                ? ClientContext.NONE
                : new ClientContext(input.context(), ClientTool.specifications(input.tools()));
        try {
            return begin(caller, input, offered, sink, executor, together, NOBODY_ASKS);
        } catch (RunRejectedException e) {
            return takeOver(caller, input, e)
                    .orElseThrow(() -> e)
                    .thenComposeAsync(gone -> beginLate(caller, input, offered, sink, executor), config.timer::aside);
        }
    }

    /**
     * Takes an answer to one question, and returns when it is stored or refused. Of people who answer at once, one waits a moment for
     * the other.
     */
    public Decided decide(Caller caller, RunAgentInput given) {
        CompletableFuture<Void> answered = new CompletableFuture<>();
        CompletableFuture<RunResult> ended;
        String runId = given.runId();
        try {
            open();
            RunAgentInput input = admission.take(caller, given);
            ended = answer(caller, input, answered);
        } catch (RunRejectedException e) {
            return new Decided.Refused(e.code(), String.valueOf(e.getMessage()));
        } catch (HookFailedException e) {
            ended = CompletableFuture.completedFuture(RunEnding.beforeItBegan(given, new EventEmitter(event -> {}), e));
        }
        CompletableFuture.anyOf(answered, ended).join();
        if (answered.isDone()) {
            return new Decided.Runs(runId, ended);
        }
        RunResult result = ended.join();
        if (result instanceof RunResult.Failed failed) {
            return new Decided.Refused(failed.code(), failed.message());
        }
        return result instanceof RunResult.Interrupted held
                ? new Decided.Waits(held.interrupts())
                : new Decided.Runs(runId, ended);
    }

    private void open() {
        active.requireOpen();
        if (isUnused.getAndSet(false)) {
            SharedStores.enter(config);
        }
    }

    private CompletableFuture<RunResult> answer(Caller caller, RunAgentInput input, CompletableFuture<Void> answered) {
        for (int attempt = 1; ; attempt++) {
            try {
                return begin(caller, input, ClientContext.NONE, event -> {}, config.executor, oneByOne, answered);
            } catch (RunRejectedException e) {
                if (e.code() != ErrorCode.RUN_IN_PROGRESS || attempt == MOST_ATTEMPTS) {
                    throw e;
                }
                LockSupport.parkNanos(PAUSE);
            }
        }
    }

    /** Takes the thread over if it may be; a store that fails now leaves the refusal as it is. */
    private Optional<CompletableFuture<Void>> takeOver(
            Caller caller, RunAgentInput input, RunRejectedException refusal) {
        try {
            return refusal.code() == ErrorCode.RUN_IN_PROGRESS && admission.saysNews(input)
                    ? active.takeOver(caller, input.threadId(), live)
                    : Optional.empty();
        } catch (RuntimeException e) {
            refusal.addSuppressed(e);
            return Optional.empty();
        }
    }

    /** Begins a run whose transport does not wait for a refusal any more. */
    private CompletableFuture<RunResult> beginLate(
            Caller caller, RunAgentInput input, ClientContext offered, EventSink sink, Executor executor) {
        try {
            active.requireOpen();
            return begin(caller, input, offered, sink, executor, together, NOBODY_ASKS);
        } catch (RuntimeException | Error e) {
            return CompletableFuture.completedFuture(RunEnding.beforeItBegan(input, new EventEmitter(sink), e));
        }
    }

    private CompletableFuture<RunResult> begin(
            Caller caller,
            RunAgentInput input,
            ClientContext offered,
            EventSink sink,
            Executor executor,
            Preflight preflight,
            CompletableFuture<Void> answered) {
        Store.Acquired acquired;
        try {
            acquired = admission.acquire(caller, input);
        } catch (RunRejectedException e) {
            throw e;
        } catch (RuntimeException e) {
            RunWatch watch = new RunWatch(config.observers, input.threadId(), input.runId()).begins();
            RunResult.Failed failed = RunEnding.beforeItBegan(input, new EventEmitter(sink), e);
            watch.failed(failed.code());
            return CompletableFuture.completedFuture(failed);
        }
        String owner = acquired.thread().map(Store.ThreadRecord::owner).orElse(caller.id());
        RunHooks<A> hooks = config.hooks.of(caller, owner, input);
        LiveRun followed = new LiveRun(config, acquired.lease());
        EventEmitter events = new EventEmitter(sink, followed::sent, hooks.interception());
        Run run = new Run(
                config,
                acquired.lease(),
                acquired.thread(),
                caller,
                config.threadIds.toClient(caller, input.threadId()),
                events,
                heartbeat);
        AgentRun<A> started = new AgentRun<>(config, services, gate, run, hooks, preflight, input, offered, answered);
        CompletableFuture<RunResult> told = whenEnded(started.result(), run, followed, hooks);
        try {
            active.add(run, started.result());
            executor.execute(started);
        } catch (RuntimeException
                | Error e) { // there is no thread for it: the run was not started, so it is not active
            active.remove(run);
            live.end(run.threadId, followed);
            run.lease.release();
            run.watch.ended(Ending.FAILED);
            throw e;
        }
        return told;
    }

    /** Goes on with a thread for its owner, who is not there. */
    private CompletableFuture<RunResult> goOn(Caller owner, String threadId) {
        String known = config.threadIds.toClient(owner, threadId);
        return start(owner, RunAgentInput.of(known, Ids.run(), List.of()), event -> {}, config.executor);
    }

    private CompletableFuture<RunResult> whenEnded(
            CompletableFuture<RunResult> result, Run run, LiveRun followed, RunHooks<A> hooks) {
        run.watch.begins();
        live.begin(run.threadId, followed);
        result.thenRun(() -> live.end(run.threadId, followed));
        result.thenRun(purge::whenDue);
        return result.thenApply(ended -> {
            config.observers.ended(hooks.run, ended);
            return ended;
        });
    }

    /** Lets no run start any more, stops those that do not end in time, and waits for a purge; {@code true} if none had to be stopped. */
    public boolean shutDown(Duration grace) {
        boolean ended = active.shutDown(grace);
        purge.awaitEnd(ActiveRuns.LAST_WORDS);
        return ended;
    }
}
