package io.holdpoint.internal.run;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.langchain4j.agent.tool.ToolExecutionRequest;
import io.holdpoint.Caller;
import io.holdpoint.Decided;
import io.holdpoint.ErrorCode;
import io.holdpoint.EventSink;
import io.holdpoint.PendingInterrupt;
import io.holdpoint.RunRejectedException;
import io.holdpoint.RunResult;
import io.holdpoint.agui.Dialect;
import io.holdpoint.agui.Message;
import io.holdpoint.agui.ResumeEntry;
import io.holdpoint.agui.RunAgentInput;
import io.holdpoint.hook.Guest.Follower;
import io.holdpoint.hook.ObservedWork.Ending;
import io.holdpoint.internal.Ids;
import io.holdpoint.internal.agent.AgentConfig;
import io.holdpoint.internal.agent.HookFailedException;
import io.holdpoint.internal.agent.Hooks.RunHooks;
import io.holdpoint.internal.aiservice.AiServiceFactory;
import io.holdpoint.internal.aiservice.StartupCheck;
import io.holdpoint.internal.events.EventEmitter;
import io.holdpoint.internal.gate.ApprovalForm;
import io.holdpoint.internal.gate.ClientTool;
import io.holdpoint.internal.input.Access;
import io.holdpoint.internal.input.InputLimits;
import io.holdpoint.internal.input.Plan;
import io.holdpoint.internal.input.Preflight;
import io.holdpoint.internal.input.Preflight.Answers;
import io.holdpoint.internal.journal.Journal;
import io.holdpoint.internal.journal.RunWatch;
import io.holdpoint.internal.journal.ToolRecord;
import io.holdpoint.internal.lease.RunLease;
import io.holdpoint.internal.lease.RunStop;
import io.holdpoint.internal.turn.ClientContext;
import io.holdpoint.internal.turn.Run;
import io.holdpoint.store.Batch;
import io.holdpoint.store.Call.Answer;
import io.holdpoint.store.Commit;
import io.holdpoint.store.HaltedException;
import io.holdpoint.store.RecordJson;
import io.holdpoint.store.Store;
import io.holdpoint.store.Store.Acquired;
import io.holdpoint.store.Store.Lease;
import io.holdpoint.store.Store.ThreadRecord;
import io.holdpoint.store.StoreException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * An agent at work: lets its runs start, if the input keeps the limits, the caller has the thread and the thread has no other
 * run, and has one instance of all that they share. Building it fails if the AI Service cannot work as it is configured.
 * Thread-safe.
 */
public final class AgentRuns<A> {

    private static final Logger LOG = LoggerFactory.getLogger(AgentRuns.class);

    public final ActiveRuns active;
    public final VisibleThreads threads;
    public final Proposals proposals;
    public final Purge purge;
    public final Timekeeper timekeeper;
    public final Guests guests = new Guests();

    private static final Optional<ToolExecutionRequest> NONE = Optional.empty();

    /** An answer is stored in milliseconds; a run that works for longer is not waited for. */
    private static final int MOST_ATTEMPTS = 25;

    private static final long PAUSE = TimeUnit.MILLISECONDS.toNanos(20);

    public final AgentConfig<A> config;
    public final AiServiceFactory.Service service;
    private final Access access;
    private final InputLimits limits;
    final Preflight preflight;

    public AgentRuns(AgentConfig<A> config) {
        this(config, AiServiceFactory.build(config, StartupCheck.of(config)));
    }

    /** Takes an AI Service that was built with the same options. */
    public AgentRuns(AgentConfig<A> config, AiServiceFactory.Service service) {
        this.config = config;
        this.service = service;
        this.access = new Access(config);
        this.limits = new InputLimits(config.limits);
        this.preflight = new Preflight(config);
        this.active = new ActiveRuns(config);
        this.threads = new VisibleThreads(config);
        this.proposals = new Proposals(this);
        this.purge = new Purge(config, active);
        this.timekeeper = new Timekeeper(config, active, this::goOn);
        timekeeper.looksFromNowOn();
        ToolRecord.ofStart(config);
    }

    /** Does what time has to do, and tells of it if that does not happen by itself. */
    public int actOnTime() {
        int done = timekeeper.look(true);
        guests.actOnTime();
        return done;
    }

    /** Commits what is made of a thread, in the caller's name; {@code false} if a run is at work on it. */
    public boolean commit(Caller caller, String threadId, Function<ThreadRecord, Batch> made) {
        active.requireOpen();
        return new Maintenance(config, caller.id()).on(threadId, (run, lease) -> {
            run.journal.commit(Commit.of(made.apply(run.found.orElseThrow())));
            return true;
        });
    }

    /** The sink of a client of that caller, who need not be told elsewhere of what it is shown. */
    public EventSink noticing(EventSink sink, Caller caller, String threadId) {
        return sink == EventEmitter.NOBODY ? sink : guests.noticing(sink, caller, threadId);
    }

    /** Starts a run on an executor: the agent's own, or the calling thread, which a streaming model leaves. The result is never exceptional. */
    public CompletableFuture<RunResult> start(Caller caller, RunAgentInput given, EventSink sink, Executor executor) {
        active.requireOpen();
        RunAgentInput input;
        try {
            input = take(caller, given);
        } catch (HookFailedException e) {
            return CompletableFuture.completedFuture(RunEnding.beforeItBegan(given, new EventEmitter(sink), e));
        }
        // may be refused, so it comes before the lease
        ClientContext offered = input.context().isEmpty() && input.tools().isEmpty()
                ? ClientContext.NONE
                : new ClientContext(input.context(), ClientTool.specifications(input.tools()));
        try {
            return begin(caller, input, offered, sink, Answers.TOGETHER, NONE, executor::execute)
                    .result();
        } catch (RunRejectedException e) {
            return takeOver(caller, input, e)
                    .orElseThrow(() -> e)
                    .thenComposeAsync(gone -> beginLate(caller, input, offered, sink, executor), config.timer::aside);
        }
    }

    /**
     * Takes an answer to one question, and returns when it is stored or refused. Of people who answer at once, one {@code waits} a moment for
     * the other, or is refused. The answer is taken on the calling thread; the run that goes on from it works on the executor.
     */
    public Decided decide(Caller caller, RunAgentInput given, Answers how, Executor executor, boolean waits) {
        Begun begun;
        RunAgentInput input;
        try {
            active.requireOpen();
            input = take(caller, given);
            begun = answer(caller, input, how, executor, waits ? MOST_ATTEMPTS : 1);
        } catch (RunRejectedException e) {
            return new Decided.Refused(e.code(), String.valueOf(e.getMessage()));
        } catch (HookFailedException e) {
            RunResult.Failed failed = RunEnding.beforeItBegan(given, new EventEmitter(EventEmitter.NOBODY), e);
            return new Decided.Refused(failed.code(), failed.message());
        }
        Plan planned = begun.planned();
        if (planned != null && planned.hasSteps()) {
            return new Decided.Runs(input.runId(), begun.result());
        }
        RunResult result = begun.result().join();
        if (result instanceof RunResult.Interrupted held) {
            return new Decided.Waits(held.interrupts());
        }
        if (result instanceof RunResult.Failed failed
                && !(planned == null ? isStored(caller, input) : planned instanceof Plan.Accepted)) {
            return new Decided.Refused(failed.code(), failed.message());
        }
        boolean ends = result instanceof RunResult.Failed || result instanceof RunResult.Cancelled;
        return ends ? stands(caller, input, begun.result()) : new Decided.Runs(input.runId(), begun.result());
    }

    /** Returns what rules show, by their names, of the call that the input's answer would let run, which is not taken. */
    public Map<String, ObjectNode> shown(Caller caller, RunAgentInput input) {
        ThreadRecord thread = threads.find(caller, input.threadId())
                .orElseThrow(() ->
                        new RunRejectedException(ErrorCode.THREAD_NOT_FOUND, ErrorCode.THREAD_NOT_FOUND.sentence()));
        return preflight.shown(thread, caller, input);
    }

    /** A run that was let begin; its plan is there if it was made on the calling thread, and stored or refused. */
    private record Begun(@Nullable Plan planned, CompletableFuture<RunResult> result) {}

    /** Tells whether an answer is in the store, although its run has failed. */
    private boolean isStored(Caller caller, RunAgentInput input) {
        ResumeEntry entry = input.resume().get(0);
        Answer.How how = entry.status() == ResumeEntry.Status.RESOLVED ? Answer.How.RESOLVED : Answer.How.CANCELLED;
        try {
            return config
                    .store
                    .findBatch(input.threadId(), Store.By.INTERRUPT, entry.interruptId())
                    .flatMap(batch -> batch.asked(entry.interruptId()))
                    .flatMap(call -> call.asked(entry.interruptId()))
                    .stream()
                    .flatMap(asked -> Stream.concat(asked.answer().stream(), asked.votes().stream()))
                    .anyMatch(stored -> stored.how() == how
                            && stored.answeredBy().equals(caller.id())
                            && Objects.equals(stored.payload(), entry.payload()));
        } catch (RuntimeException e) {
            LOG.debug("Whether the answer {} on thread {} is stored is not known", input.runId(), input.threadId(), e);
            return false;
        }
    }

    /** The outcome of a stored answer whose run has failed or was cancelled. */
    private Decided stands(Caller caller, RunAgentInput input, CompletableFuture<RunResult> ended) {
        try {
            List<PendingInterrupt> open = threads.pending(caller, input.threadId());
            return open.isEmpty() ? new Decided.Runs(input.runId(), ended) : new Decided.Waits(open);
        } catch (RuntimeException e) {
            LOG.debug("What is open on thread {} cannot be read", input.threadId(), e);
            return new Decided.Waits(List.of());
        }
    }

    private Begun answer(Caller caller, RunAgentInput input, Answers how, Executor executor, int attempts) {
        for (int attempt = 1; ; attempt++) {
            try {
                return begin(
                        caller,
                        input,
                        ClientContext.NONE,
                        EventEmitter.NOBODY,
                        how,
                        NONE,
                        run -> run.answers(executor));
            } catch (RunRejectedException e) {
                if (e.code() != ErrorCode.RUN_IN_PROGRESS || attempt == attempts) {
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
            return refusal.code() == ErrorCode.RUN_IN_PROGRESS && saysNews(input)
                    ? active.takeOver(caller, input.threadId())
                    : Optional.empty();
        } catch (RuntimeException e) {
            refusal.addSuppressed(e);
            return Optional.empty();
        }
    }

    /** Begins a run whose transport no longer waits for a refusal. */
    private CompletableFuture<RunResult> beginLate(
            Caller caller, RunAgentInput input, ClientContext offered, EventSink sink, Executor executor) {
        try {
            active.requireOpen();
            return begin(caller, input, offered, sink, Answers.TOGETHER, NONE, executor::execute)
                    .result();
        } catch (RuntimeException | Error e) {
            return CompletableFuture.completedFuture(RunEnding.beforeItBegan(input, new EventEmitter(sink), e));
        }
    }

    /** Begins a run on the calling thread that makes one call, which no model has proposed. */
    CompletableFuture<RunResult> propose(Caller caller, RunAgentInput input, ToolExecutionRequest call) {
        return begin(
                        caller,
                        input,
                        ClientContext.NONE,
                        EventEmitter.NOBODY,
                        Answers.TOGETHER,
                        Optional.of(call),
                        AgentRun::run)
                .result();
    }

    private Begun begin(
            Caller caller,
            RunAgentInput input,
            ClientContext offered,
            EventSink sink,
            Answers how,
            Optional<ToolExecutionRequest> proposed,
            Consumer<AgentRun> starts) {
        Acquired acquired;
        boolean halted = false;
        try {
            try {
                acquired = acquire(caller, input);
            } catch (HaltedException e) {
                halted = true;
                acquired = acquireToCancel(caller, input);
            }
            if (acquired.lease().cancels()) {
                Maintenance.giveUp(config, acquired.lease());
                return begin(caller, input, offered, sink, how, proposed, starts);
            }
        } catch (RunRejectedException e) {
            throw e;
        } catch (Throwable e) { // checked ones too: not every memory is written in Java
            RunWatch watch = new RunWatch(config.observers, input.threadId(), input.runId()).begins();
            RunResult.Failed failed = RunEnding.beforeItBegan(input, new EventEmitter(sink), e);
            watch.failed(failed.code());
            return new Begun(null, CompletableFuture.completedFuture(failed));
        }
        String owner = acquired.thread().isPresent() ? acquired.thread().get().owner() : caller.id();
        RunHooks hooks = new RunHooks(config.hooks, caller, owner, input);
        EventSink client = noticing(sink, caller, input.threadId());
        List<Follower> followers = guests.followers(acquired.lease());
        EventEmitter events = new EventEmitter(client, followers, hooks.interception());
        Run run = new Run(
                config,
                acquired.lease(),
                acquired.thread(),
                caller,
                config.threadIds.toClient(caller, input.threadId()),
                events);
        AgentRun started = new AgentRun(this, run, hooks, input, how, offered, proposed);
        CompletableFuture<RunResult> result = started.result();
        CompletableFuture<RunResult> told = whenEnded(result, run, followers, hooks);
        if (halted) {
            run.stop.request(RunStop.Reason.HALTED);
        }
        try {
            active.add(run, result);
            starts.accept(started);
        } catch (RuntimeException
                | Error e) { // there is no thread for it: the run was not started, so it is not active
            active.remove(run);
            followers.forEach(Follower::ended);
            run.givesBack();
            run.watch.ended(Ending.FAILED);
            throw e;
        }
        return new Begun(started.planned(), told);
    }

    /** Goes on with a thread for its owner, who is not there. */
    private CompletableFuture<RunResult> goOn(Caller owner, String threadId) {
        String known = config.threadIds.toClient(owner, threadId);
        return start(owner, RunAgentInput.of(known, Ids.run(), List.of()), EventEmitter.NOBODY, config.executor);
    }

    private CompletableFuture<RunResult> whenEnded(
            CompletableFuture<RunResult> result, Run run, List<Follower> followers, RunHooks hooks) {
        run.watch.begins();
        result.thenRun(purge::whenDue);
        return result.thenApply(ended -> {
            for (Follower follower : followers) {
                follower.ended();
            }
            config.observers.ended(hooks.run, ended);
            return ended;
        });
    }

    /** Lets no further run start, stops those that do not end in time, and waits for a purge; {@code true} if none had to be stopped. */
    public boolean shutDown(Duration grace) {
        guests.closing();
        boolean ended = active.shutDown(grace);
        purge.awaitEnd(ActiveRuns.LAST_WORDS);
        guests.close(System.nanoTime() + ActiveRuns.LAST_WORDS.toNanos());
        return ended;
    }

    // --- admission

    /** Takes an input through limits and hooks, and copies it: what is decided must not change with the caller's JSON trees. */
    RunAgentInput take(Caller caller, RunAgentInput given) {
        limits.check(given);
        String threadId = config.threadIds.of(caller, given.threadId());
        requireMemoryId(threadId);
        RunAgentInput taken = config.hooks.take(caller, given);
        if (taken != given) {
            limits.check(taken);
        }
        List<ResumeEntry> entries = taken.resume();
        List<ResumeEntry> resume = new ArrayList<>();
        for (int i = 0; i < entries.size(); i++) {
            ResumeEntry entry = entries.get(i);
            JsonNode payload = asStored("resume[" + i + "].payload", entry.payload(), Integer.MAX_VALUE);
            ObjectNode dialect =
                    Dialect.isDraft(entry) ? Dialect.draftMetadata() : null; // no other metadata has a reader
            resume.add(new ResumeEntry(entry.interruptId(), entry.status(), payload, dialect));
        }
        return new RunAgentInput(
                threadId,
                taken.runId(),
                taken.protocolVersion(),
                taken.parentRunId(),
                asStored("state", taken.state(), config.limits.stateLength()),
                taken.messages(),
                taken.tools(),
                taken.context(),
                asStored("forwardedProps", taken.forwardedProps(), config.limits.stateLength()),
                resume);
    }

    /** Refuses an id that the chat memory's id cannot be made of, before anything is done with it. */
    private void requireMemoryId(String threadId) {
        try {
            config.memories.id(threadId);
        } catch (IllegalArgumentException e) {
            throw new RunRejectedException(ErrorCode.INPUT_INVALID, "threadId: " + e.getMessage());
        }
    }

    /** The tree as a database gives it back. In that form a number is written in one way, so that equal answers are equal. */
    private static @Nullable JsonNode asStored(String field, @Nullable JsonNode tree, int longest) {
        if (tree == null || tree.isNull()) {
            return tree;
        }
        if (tree.isContainerNode() && tree.isEmpty() || tree.equals(ApprovalForm.approval())) {
            return tree.deepCopy();
        }
        try {
            String json = RecordJson.write(tree);
            InputLimits.requireStorable(field, json.length(), longest);
            return RecordJson.read(json, JsonNode.class);
        } catch (StoreException e) {
            throw new RunRejectedException(
                    ErrorCode.INPUT_INVALID, field + ": cannot be written as JSON and read again. Send plain JSON.");
        }
    }

    /** Checks whether an input ends with a message of the user that the thread does not know, or wants another answer. */
    private boolean saysNews(RunAgentInput input) {
        List<Message> messages = input.messages();
        boolean isNew = !messages.isEmpty()
                && messages.get(messages.size() - 1) instanceof Message.User last
                && config.store.known(input.threadId(), List.of(last.id())).isEmpty();
        return isNew || Preflight.replaces(config.store, input);
    }

    /** Acquires the thread for a run of a caller who has access to it. */
    private Acquired acquire(Caller caller, RunAgentInput input) {
        Instant now = config.clock.instant();
        Instant until = now.plus(config.leaseDuration);
        Optional<Acquired> own = config.store.acquireOwn(input.threadId(), input.runId(), caller.id(), now, until);
        return own.isPresent() ? checked(caller, input, own.get()) : acquireOther(caller, input, now, until);
    }

    /** Acquires a thread of a halted agent for answers that only cancel; everything else is refused, and nothing of it is taken. */
    private Acquired acquireToCancel(Caller caller, RunAgentInput input) {
        if (input.resume().isEmpty() || !onlyCancels(input) || saysNews(input)) {
            throw new RunRejectedException(
                    ErrorCode.AGENT_HALTED,
                    "The agent is halted, and nothing was accepted: open questions stay open, and can be cancelled. Send"
                            + " it again when the agent is released.");
        }
        Instant now = config.clock.instant();
        return acquireOther(caller, input, now, now.plus(config.leaseDuration));
    }

    private boolean isHidden(Caller caller, Optional<ThreadRecord> thread) {
        return thread.isPresent() && !access.allows(caller, thread.get());
    }

    /** An input that starts no thread and answers nothing. */
    private static boolean asksOnlyToSee(RunAgentInput input) {
        JsonNode state = input.state();
        return input.messages().isEmpty()
                && input.resume().isEmpty()
                && (state == null || state.isNull() || (state.isObject() && state.isEmpty()));
    }

    /** Checks the access first, because whoever has none must neither disturb the thread's runs nor learn of them. */
    private Acquired acquireOther(Caller caller, RunAgentInput input, Instant now, Instant until) {
        String threadId = input.threadId();
        Optional<ThreadRecord> known = config.store.find(threadId);
        if (isHidden(caller, known) && asksOnlyToSee(input) && config.threadIds.mayStart(caller, threadId)) {
            Optional<Lease> ofNone = config.store.acquire(Ids.message(), input.runId(), caller.id(), now, until);
            return new Acquired(ofNone.orElseThrow(), Optional.empty()); // sees what a thread that does not exist has
        }
        requireAccess(caller, input, known);
        Optional<Lease> lease = config.store.acquire(threadId, input.runId(), caller.id(), now, until);
        try {
            Optional<ThreadRecord> thread = config.store.find(threadId);
            requireAccess(caller, input, thread);
            Lease taken = lease.orElseThrow(() -> new RunRejectedException(
                    ErrorCode.RUN_IN_PROGRESS,
                    "The thread has an active run. Wait for its end, then send this again; if its server has died,"
                            + " the thread is free after " + config.leaseDuration.toSeconds() + " seconds."));
            return checked(caller, input, new Acquired(taken, thread));
        } catch (Throwable e) {
            lease.ifPresent(taken -> givesBack(taken, known));
            throw e;
        }
    }

    private Acquired checked(Caller caller, RunAgentInput input, Acquired acquired) {
        try {
            requireAccess(caller, input, acquired.thread());
            if (acquired.thread().isEmpty() && !asksOnlyToSee(input)) {
                config.store.withMemory(acquired.lease(), () -> requireOwnMemory(input.threadId()));
            }
            return acquired;
        } catch (Throwable e) {
            givesBack(acquired.lease(), acquired.thread());
            throw e;
        }
    }

    /** Gives back what no run has begun on. A dead run that was there is to be found as before, and what it was told. */
    private void givesBack(Lease lease, Optional<ThreadRecord> thread) {
        if (lease.cancels() || Journal.hasClaims(thread)) {
            RunLease.abandon(config.store, lease);
        } else {
            config.store.release(lease);
        }
    }

    /**
     * Refuses a new thread over an old memory: it is not known whose conversation that holds. The caller hears what anybody hears
     * of a thread of somebody else, and the log says why.
     */
    private void requireOwnMemory(String threadId) {
        if (!config.memories.hasInstructionsOnly(threadId)) {
            if (config.store
                    .head(threadId)
                    .isPresent()) { // this process stood still, and lost its lease to another run
                throw new RunRejectedException(ErrorCode.RUN_IN_PROGRESS, "Another run came in between. Try again.");
            }
            LOG.warn(
                    "The chat memory of the thread {} holds a conversation, but the store does not know the thread,"
                            + " and so not whose it is, so no caller gets it. Tell the store whose it is, clear the memory,"
                            + " keep threads and memories in the same database, or let the chatMemoryProvider give each thread"
                            + " a memory of its own.",
                    threadId);
            throw notFound();
        }
    }

    /** Refuses a hidden thread exactly like one that does not exist. */
    private void requireAccess(Caller caller, RunAgentInput input, Optional<ThreadRecord> thread) {
        boolean answersNothing = !input.resume().isEmpty() && !letsGoAndGoesOn(input);
        boolean startsNone = answersNothing || !config.threadIds.mayStart(caller, input.threadId());
        if (isHidden(caller, thread) || (thread.isEmpty() && startsNone)) {
            throw notFound();
        }
    }

    /** A client may hold a card of a thread that is gone, and must get rid of it to say something. */
    private static boolean letsGoAndGoesOn(RunAgentInput input) {
        return onlyCancels(input) && input.messages().stream().anyMatch(message -> message instanceof Message.User);
    }

    private static boolean onlyCancels(RunAgentInput input) {
        for (ResumeEntry entry : input.resume()) {
            if (entry.status() != ResumeEntry.Status.CANCELLED) {
                return false;
            }
        }
        return true;
    }

    private static RunRejectedException notFound() {
        return new RunRejectedException(ErrorCode.THREAD_NOT_FOUND, "There is no such thread.");
    }
}
