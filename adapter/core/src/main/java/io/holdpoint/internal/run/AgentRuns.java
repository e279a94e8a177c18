package io.holdpoint.internal.run;

import com.fasterxml.jackson.databind.JsonNode;
import dev.langchain4j.agent.tool.ToolSpecification;
import io.holdpoint.Caller;
import io.holdpoint.ErrorCode;
import io.holdpoint.EventSink;
import io.holdpoint.Limits;
import io.holdpoint.PendingInterrupt;
import io.holdpoint.Purged;
import io.holdpoint.RunRejectedException;
import io.holdpoint.RunResult;
import io.holdpoint.agui.Agui;
import io.holdpoint.agui.ResumeEntry;
import io.holdpoint.agui.RunAgentInput;
import io.holdpoint.internal.agent.AgentConfig;
import io.holdpoint.internal.agent.Exchange;
import io.holdpoint.internal.agent.HookFailedException;
import io.holdpoint.internal.agent.RunHooks;
import io.holdpoint.internal.aiservice.AiServiceFactory;
import io.holdpoint.internal.aiservice.StartupCheck;
import io.holdpoint.internal.events.EventEmitter;
import io.holdpoint.internal.follow.Inboxes;
import io.holdpoint.internal.follow.LiveRun;
import io.holdpoint.internal.follow.LiveRuns;
import io.holdpoint.internal.follow.ThreadHistory;
import io.holdpoint.internal.follow.ThreadView;
import io.holdpoint.internal.gate.ClientTool;
import io.holdpoint.internal.gate.Gate;
import io.holdpoint.internal.input.Access;
import io.holdpoint.internal.input.InputLimits;
import io.holdpoint.internal.input.Preflight;
import io.holdpoint.internal.journal.RunWatch;
import io.holdpoint.internal.lease.Deadlines;
import io.holdpoint.internal.lease.Heartbeat;
import io.holdpoint.internal.turn.Run;
import io.holdpoint.store.AuditEvent;
import io.holdpoint.store.Batch;
import io.holdpoint.store.Grant;
import io.holdpoint.store.Lease;
import io.holdpoint.store.RecordJson;
import io.holdpoint.store.Store;
import io.holdpoint.store.StoreException;
import io.holdpoint.store.ThreadRecord;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.IntConsumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The runs of an agent. Thread-safe.
 *
 * @param <A> the AI Service
 */
public final class AgentRuns<A> {

    private static final Logger LOG = LoggerFactory.getLogger(AgentRuns.class);

    private final AgentConfig<A> settings;
    private final AiServiceFactory<A> services;
    private final Preflight preflight;
    private final Gate gate;
    private final Access access;
    private final InputLimits inputLimits;
    private final Heartbeat heartbeat;
    private final ActiveRuns active;
    private final Cancellation cancellation;
    private final Purge purge;
    private final Revocations revocations;
    private final LiveRuns live = new LiveRuns();
    private final ThreadHistory history;
    private final Inboxes inboxes;

    /**
     * Builds the AI Service once on trial.
     *
     * @param settings of the agent
     * @throws dev.langchain4j.service.IllegalConfigurationException if they cannot work
     */
    public AgentRuns(AgentConfig<A> settings) {
        this.settings = settings;
        this.services = new AiServiceFactory<>(settings, StartupCheck.of(settings));
        this.preflight = new Preflight(
                settings.store(),
                settings.clock(),
                settings.governance().authorizer(),
                limits(),
                settings.exchange().media());
        this.gate = new Gate(settings.clock(), limits());
        this.access = new Access(settings.governance().authorizer());
        this.inputLimits = new InputLimits(limits());
        this.heartbeat = new Heartbeat(settings.timer(), settings.governance().leaseDuration());
        this.active = new ActiveRuns(new Deadlines(
                settings.timer(), settings.clock(), settings.governance().runTimeout()));
        this.cancellation = new Cancellation(settings, active, heartbeat);
        this.purge = new Purge(settings, heartbeat);
        this.revocations = new Revocations(settings);
        this.history = new ThreadHistory(settings, live);
        this.inboxes = new Inboxes(settings);
    }

    /**
     * Starts a run on the agent's executor.
     *
     * @param caller who the run works for
     * @param input what the client sent
     * @param sink where the events go
     * @return completed when the run has ended; never exceptionally
     * @throws RunRejectedException if the run is not started
     */
    public CompletableFuture<RunResult> start(Caller caller, RunAgentInput input, EventSink sink) {
        return start(caller, input, sink, settings.executor());
    }

    /**
     * Runs on the calling thread, as far as the model does not go on on its own.
     *
     * @param caller who the run works for
     * @param input what to do
     * @return completed when the run has ended; never exceptionally
     * @throws RunRejectedException if the run is not started
     */
    public CompletableFuture<RunResult> runHere(Caller caller, RunAgentInput input) {
        return start(caller, input, event -> {}, Runnable::run);
    }

    private CompletableFuture<RunResult> start(Caller caller, RunAgentInput given, EventSink sink, Executor executor) {
        active.requireOpen();
        inputLimits.check(given);
        RunAgentInput taken;
        try {
            taken = settings.hooks().take(caller, given);
        } catch (HookFailedException e) {
            return CompletableFuture.completedFuture(AgentRun.failedBeforeItBegan(given, new EventEmitter(sink), e));
        }
        if (taken != given) {
            inputLimits.check(taken);
        }
        RunAgentInput input = ownCopy(taken);
        List<ToolSpecification> offered = ClientTool.specifications(input.tools()); // may fail: not with the lease
        RunHooks<A> hooks = settings.hooks().of(caller, input);
        LiveRun followed = new LiveRun();
        EventEmitter events = new EventEmitter(sink, followed::sent, hooks::intercepted);
        Lease lease;
        try {
            lease = acquire(caller, input);
        } catch (RunRejectedException e) {
            throw e;
        } catch (RuntimeException e) {
            RunWatch watch = new RunWatch(settings.governance().observer(), input.threadId(), input.runId()).begins();
            RunResult failed = AgentRun.failedBeforeItBegan(input, events, e);
            watch.ended(failed);
            return CompletableFuture.completedFuture(failed);
        }
        Run context = Run.begin(settings, lease, caller, events, heartbeat).withClientTools(offered);
        AgentRun<A> run = new AgentRun<>(settings, services, gate, context, input, hooks);
        RunWatch watch = context.watch().begins();
        live.begin(input.threadId(), followed);
        run.result().thenRun(() -> live.end(input.threadId(), followed));
        run.result().thenRun(purge::whenDue);
        CompletableFuture<RunResult> told = run.result().thenApply(result -> {
            hooks.ended(result);
            return result;
        });
        try {
            active.add(context, run.result());
            executor.execute(() -> watch.within(() -> run.execute(preflight)));
        } catch (RuntimeException | Error e) { // no thread to be had: not started, so not active
            active.remove(context);
            live.end(input.threadId(), followed);
            context.right().release();
            watch.neverRan();
            throw e;
        }
        return told;
    }

    /**
     * What passes between client and model.
     *
     * @return as the agent was built
     */
    public Exchange exchange() {
        return settings.exchange();
    }

    private Limits limits() {
        return settings.governance().limits();
    }

    private Lease acquire(Caller caller, RunAgentInput input) {
        Store store = settings.store();
        Optional<ThreadRecord> known = store.find(input.threadId());
        requireAccess(caller, input, known);
        Instant now = settings.clock().instant();
        Duration duration = settings.governance().leaseDuration();
        Instant until = now.plus(duration);
        Optional<Lease> lease = store.acquire(input.threadId(), input.runId(), caller.id(), now, until);
        if (known.isEmpty()) {
            requireAccessByNow(caller, input, lease);
        }
        return lease.orElseThrow(() -> new RunRejectedException(
                ErrorCode.RUN_IN_PROGRESS,
                "The thread has an active run. Wait for its end, then send this again; if its server has died,"
                        + " the thread is free after " + duration.toSeconds() + " seconds."));
    }

    /** Somebody else may have started the thread in between. Afterwards its owner stays the same. */
    private void requireAccessByNow(Caller caller, RunAgentInput input, Optional<Lease> lease) {
        try {
            Optional<ThreadRecord> thread = settings.store().find(input.threadId());
            requireAccess(caller, input, thread);
            if (thread.isEmpty() && lease.isPresent()) {
                requireMemory(input.threadId());
            }
        } catch (RuntimeException e) {
            lease.ifPresent(settings.store()::release);
            throw e;
        }
    }

    /** What is in the memory of a thread without an owner was said by nobody knows whom. */
    private void requireMemory(String threadId) {
        if (settings.memories().hasConversationOfOthers(threadId)) {
            LOG.warn(
                    "The chat memory of the thread {} holds a conversation, but the store does not know the thread,"
                            + " and so not whose it is: nobody gets it. If whoever comes first may go on with it, build"
                            + " the agent with adoptChatMemories(true); otherwise clear the memory, or keep threads and"
                            + " memories in the same database.",
                    threadId);
            throw notFound();
        }
    }

    private static RunRejectedException notFound() {
        return new RunRejectedException(ErrorCode.THREAD_NOT_FOUND, "There is no such thread.");
    }

    /** A thread of somebody else is told apart from one that does not exist by nothing. */
    private void requireAccess(Caller caller, RunAgentInput input, Optional<ThreadRecord> thread) {
        boolean hidden = thread.isPresent() && !access.allows(caller, thread.get());
        if (hidden || (thread.isEmpty() && !input.resume().isEmpty())) {
            throw notFound();
        }
    }

    /** What is decided and stored must not change with the caller's JSON trees. */
    private RunAgentInput ownCopy(RunAgentInput given) {
        List<ResumeEntry> resume = new ArrayList<>();
        for (int i = 0; i < given.resume().size(); i++) {
            ResumeEntry entry = given.resume().get(i);
            JsonNode payload = entry.payload();
            resume.add(new ResumeEntry(
                    entry.interruptId(),
                    entry.status(),
                    payload == null ? null : asStored("resume[" + i + "].payload", payload, length -> {}),
                    null)); // nobody reads its metadata
        }
        RunAgentInput input = given.withResume(resume);
        JsonNode state = given.state();
        return state == null ? input : input.withState(asStored("state", state, inputLimits::checkState));
    }

    /** The tree as a database gives it back, in which one number has one form: the same answer is recognised by it. */
    private static JsonNode asStored(String field, JsonNode tree, IntConsumer checkLength) {
        try {
            String json = RecordJson.write(tree);
            checkLength.accept(json.length());
            return RecordJson.readTree(json);
        } catch (StoreException e) {
            throw new RunRejectedException(
                    ErrorCode.INPUT_INVALID, field + ": cannot be written as JSON and read again. Send plain JSON.");
        }
    }

    /**
     * The open interrupts of a thread.
     *
     * @param caller who asks
     * @param threadId the conversation
     * @return in model order; empty if nothing waits, or if the thread does not exist for the caller
     */
    public List<PendingInterrupt> pending(Caller caller, String threadId) {
        return ThreadView.pending(visible(caller, threadId)
                .flatMap(ThreadRecord::batch)
                .map(Batch::openQuestions)
                .orElse(List.of()));
    }

    /**
     * What happened on a thread.
     *
     * @param caller who asks
     * @param threadId the conversation
     * @param offset how many events to skip
     * @param limit most events to give
     * @return oldest first; empty if the thread does not exist for the caller
     */
    public List<AuditEvent> auditTrail(Caller caller, String threadId, long offset, int limit) {
        return visible(caller, threadId).isPresent() ? settings.store().auditTrail(threadId, offset, limit) : List.of();
    }

    /**
     * The decisions that a thread remembers.
     *
     * @param caller who asks
     * @param threadId the conversation
     * @return those that count, oldest first; empty if the thread does not exist for the caller
     */
    public List<Grant> grants(Caller caller, String threadId) {
        return visible(caller, threadId).isPresent() ? revocations.grants(threadId) : List.of();
    }

    /**
     * Takes a remembered decision back.
     *
     * @param caller who does
     * @param threadId the conversation
     * @param grantId the decision
     * @return whether there was one that counted; {@code false} if the thread does not exist for the caller
     */
    public boolean revoke(Caller caller, String threadId, String grantId) {
        return visible(caller, threadId).isPresent() && revocations.revoke(caller, threadId, grantId);
    }

    /**
     * Cancels the active run of a thread, or what is held on it.
     *
     * @param caller who does
     * @param threadId the conversation
     * @return whether there was anything; {@code false} if the thread does not exist for the caller
     */
    public boolean cancel(Caller caller, String threadId) {
        if (!Agui.isId(threadId)) {
            return false;
        }
        boolean allowed = settings.store()
                .find(threadId)
                .map(thread -> access.allows(caller, thread))
                .orElseGet(() -> active.isOf(caller, threadId));
        return allowed && cancellation.cancel(caller, threadId);
    }

    /**
     * Cancels one run of a caller.
     *
     * @param caller whose run it is
     * @param threadId the conversation
     * @param runId the run
     * @return {@code false} if it is not active on this node
     */
    public boolean cancel(Caller caller, String threadId, String runId) {
        return active.cancel(caller, threadId, runId);
    }

    /**
     * Starts no run any more, and ends the active ones.
     *
     * @param grace how long they may go on
     * @return whether none had to be stopped
     */
    public boolean shutDown(Duration grace) {
        return active.shutDown(grace);
    }

    /** The thread, if it exists for the caller. */
    private Optional<ThreadRecord> visible(Caller caller, String threadId) {
        return Agui.isId(threadId)
                ? settings.store().find(threadId).filter(thread -> access.allows(caller, thread))
                : Optional.empty();
    }

    /**
     * Shows threads to those who start no run.
     *
     * @return of this agent
     */
    public ThreadHistory history() {
        return history;
    }

    /**
     * Lists open interrupts across threads.
     *
     * @return of this agent
     */
    public Inboxes inboxes() {
        return inboxes;
    }

    /**
     * Settles abandoned batches and removes finished ones, as many as one call may.
     *
     * @return what was done
     */
    public Purged purge() {
        return purge.now();
    }
}
