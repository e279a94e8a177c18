package io.holdpoint;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.langchain4j.data.message.ContentType;
import io.holdpoint.agui.AgentCapabilities;
import io.holdpoint.agui.ResumeEntry;
import io.holdpoint.agui.RunAgentInput;
import io.holdpoint.hook.Extension;
import io.holdpoint.internal.Ids;
import io.holdpoint.internal.LangChain4jVersion;
import io.holdpoint.internal.LogText;
import io.holdpoint.internal.agent.AgentConfig;
import io.holdpoint.internal.events.EventEmitter;
import io.holdpoint.internal.input.Preflight.Answers;
import io.holdpoint.internal.run.AgentRuns;
import io.holdpoint.internal.run.Inside;
import io.holdpoint.internal.run.Proposals;
import io.holdpoint.store.AuditEvent;
import io.holdpoint.store.Grant;
import io.holdpoint.store.Store;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * An agent: a LangChain4j AI Service whose tools marked {@link RequiresApproval} wait for a person.
 *
 * <p>A conversation is a <em>thread</em>, named by the application. Each call of {@link #send}, {@link #resume} or {@link #run}
 * is a <em>run</em> on it; one run at a time is active on a thread. A run that proposes a gated call ends with interrupts, and
 * no call of that model message has run. A later run that answers all of them executes the approved
 * calls, tells the model about the others, and goes on. {@link #send}, {@link #resume} and {@link #decide} throw an
 * {@link IllegalArgumentException} for an id that no thread can have, see {@link io.holdpoint.agui.Agui#isId}.
 *
 * <p>Thread-safe; one agent serves all threads. No thread of the process waits for a person.
 */
public final class Holdpoint implements AutoCloseable {

    /** The time for which active runs may go on when the agent is closed. */
    public static final Duration DEFAULT_GRACE = Duration.ofSeconds(10);

    private static final Logger LOG = LoggerFactory.getLogger(Holdpoint.class);

    private final AgentConfig<?> config;
    final AgentRuns<?> runs;
    private final Supplier<Caller> callers;

    static {
        Inside.openBy(agent -> new Inside(agent.runs, agent.callers));
    }

    private Holdpoint(AgentConfig<?> config, AgentRuns<?> runs, Supplier<Caller> callers) {
        this.config = config;
        this.runs = runs;
        this.callers = callers;
    }

    /**
     * Starts to build an agent; see {@link HoldpointBuilder} for how a turn calls the AI Service.
     *
     * @throws dev.langchain4j.service.IllegalConfigurationException if the LangChain4j on the class path is too old
     */
    public static <A> HoldpointBuilder<A> builder(Class<A> aiService) {
        LangChain4jVersion.require();
        return new HoldpointBuilder<>(aiService);
    }

    static Holdpoint of(AgentRuns<?> runs) {
        return new Holdpoint(runs.config, runs, () -> Caller.ANONYMOUS);
    }

    /** An agent that has just been built, with its guests. */
    static Holdpoint built(AgentRuns<?> runs, List<Extension> joining) {
        Holdpoint agent = of(runs);
        try {
            joining.forEach(extension -> runs.guests.add(extension.join(agent)));
            runs.guests.begin();
        } catch (Throwable e) { // not every language checks exceptions
            runs.shutDown(Duration.ZERO);
            throw e;
        }
        return agent;
    }

    /**
     * Returns this agent, bound to a caller, who comes from the transport and never from the body of a request: the caller owns the
     * threads that it starts, and the threads of others do not exist for it unless the {@link ApprovalAuthorizer} says otherwise. An agent
     * that is not bound works for {@link Caller#ANONYMOUS}.
     *
     * @throws IllegalArgumentException if the caller's id {@linkplain Caller#isReserved is reserved}, and the caller is not
     *     {@link Caller#ANONYMOUS} itself
     */
    public Holdpoint as(Caller who) {
        return of(signedIn(who));
    }

    private Holdpoint of(Caller who) {
        return new Holdpoint(config, runs, () -> who);
    }

    private static Caller signedIn(Caller who) {
        if (who != Caller.ANONYMOUS && who.isReserved()) {
            throw new IllegalArgumentException(
                    "the caller's id \"" + who.id()
                            + "\" is reserved: the record means nobody in particular by anonymous, and time and others by ids that begin"
                            + " with holdpoint:. Give the person another id; somebody who has not signed in is Caller.ANONYMOUS");
        }
        return who;
    }

    /**
     * Returns this agent, bound to the present caller, such as the user of the request that a thread works for. Every method asks for it
     * once, on the thread that calls the method; what the supplier throws reaches the method's caller.
     */
    public Holdpoint as(Supplier<Caller> present) {
        return new Holdpoint(config, runs, () -> signedIn(present.get()));
    }

    /**
     * Sends a user message to a thread, which need not exist, and waits until the run has ended. The run works on the calling thread; a
     * streaming model may go on on its own.
     *
     * @param text the text of the message; not a template, braces are safe
     * @return how the run ended; {@link RunResult.Failed} with {@link ErrorCode#INTERRUPT_PENDING} if interrupts are open. Approved calls that the
     *     server of the run before left behind when it died run first: if something is asked then, that is the {@link RunResult.Interrupted}
     *     here, and the message is to be sent again after the answer
     */
    public RunResult send(String threadId, String text) {
        return send(Turn.of(threadId, text));
    }

    /** Sends what is more than a text, or has values of its own ({@link Turn#with}), like {@link #send(String, String)}. */
    public RunResult send(Turn turn) {
        return runHere(turn.input());
    }

    /**
     * Answers the open interrupts of a thread, all together, and waits until the run has ended. Without answers, a turn that failed is run
     * again, and a held thread gives its interrupts again.
     *
     * @param answers one for each open interrupt, see {@link PendingInterrupt}
     * @return how the run ended; {@link RunResult.Failed} if the answers were not accepted: then all interrupts stay open
     */
    public RunResult resume(String threadId, ResumeEntry... answers) {
        return runHere(answered(threadId, Arrays.asList(answers)));
    }

    /** Answers the open interrupts of a thread, all together, like {@link #resume(String, ResumeEntry...)}. */
    public RunResult resume(String threadId, Collection<ResumeEntry> answers) {
        return runHere(answered(threadId, answers));
    }

    /**
     * Answers one open interrupt of a thread, for people who decide about different calls of one message, or together about one. Returns
     * as soon as the answer is stored. It stands, whoever answers the others, and nothing of the model's message runs before the
     * last one is answered; the run that then begins works on the agent's executor, as by {@link #resume}.
     *
     * <p>The same answer given again changes nothing, another answer to a settled interrupt is refused
     * ({@link ErrorCode#INTERRUPT_ALREADY_RESOLVED}). If a run is active on the thread, the answer waits half a second for its end, and is
     * then refused ({@link ErrorCode#RUN_IN_PROGRESS}): give it again.
     *
     * @return whether others have to answer, a run goes on, or the answer was not accepted
     */
    public Decided decide(String threadId, ResumeEntry answer) {
        return decide(threadId, answer, true);
    }

    private Decided decide(String threadId, ResumeEntry answer, boolean waits) {
        RunAgentInput input = answered(threadId, List.of(answer));
        return runs.decide(callers.get(), input, Answers.ONE_BY_ONE, config.executor, waits);
    }

    /**
     * Answers open interrupts of several threads, one after another, for a person who has many before them. Each is judged alone, as by
     * {@link #decide(String, ResumeEntry)}: what is refused changes nothing about the others, and no store failure hides which were taken.
     * A question that is not as it was {@linkplain Decision#shown shown} any more is refused ({@link ErrorCode#INTERRUPT_CHANGED}). Once a run that is
     * active was waited for in vain, answers to other threads with one are refused at once.
     *
     * @return what became of each, in the order of the list
     * @throws IllegalArgumentException if the list is longer than {@value Decision#MAX}; nothing was decided then, nor if an element is
     *     {@code null}
     */
    public List<Decided> decide(List<Decision> decisions) {
        if (decisions.size() > Decision.MAX) {
            throw new IllegalArgumentException("there are " + decisions.size() + " decisions, and at most "
                    + Decision.MAX + " are taken together. Give them in several lists");
        }
        Holdpoint agent = of(callers.get());
        List<Decided> all = new ArrayList<>();
        boolean waits = true; // for one run that is at work: the thread of a server is not kept for each
        for (Decision each : List.copyOf(decisions)) {
            Decided decided = agent.decideAlone(each, waits);
            waits &= !(decided instanceof Decided.Refused refused && refused.code() == ErrorCode.RUN_IN_PROGRESS);
            all.add(decided);
        }
        return List.copyOf(all);
    }

    private Decided decideAlone(Decision given, boolean waits) {
        String id = given.answer().interruptId();
        try {
            boolean hasChanged = given.shown().isPresent()
                    && pending(given.threadId()).stream()
                            .anyMatch(open -> (id.isEmpty() || open.id().equals(id))
                                    && !open.fingerprint().equals(given.shown().get()));
            return hasChanged
                    ? new Decided.Refused(
                            ErrorCode.INTERRUPT_CHANGED,
                            "This is not as it was shown. Read it again, and show it: " + id)
                    : decide(given.threadId(), given.answer(), waits);
        } catch (IllegalArgumentException e) {
            return new Decided.Refused(ErrorCode.INPUT_INVALID, String.valueOf(e.getMessage()));
        } catch (RuntimeException e) {
            LOG.warn("An answer on thread {} could not be looked at: {}", given.threadId(), LogText.of(e));
            return new Decided.Refused(ErrorCode.RUN_FAILED, ErrorCode.RUN_FAILED.message());
        }
    }

    /** Proposes a call with an id of its own, like {@link #propose(String, String, ObjectNode, String)}. */
    public Proposal propose(String threadId, String tool, ObjectNode arguments) {
        return propose(threadId, tool, arguments, Ids.batch());
    }

    /**
     * Proposes a call that no model made, such as a step of a workflow, a job or an undo. The same policies, conditions and rules decide about
     * it, the same people are asked in the same places, and it runs once, as a call of the model does; who has proposed it is on the question
     * ({@code metadata.langchain4j.proposedBy}) and in the audit trail. A call that needs nobody runs on the calling thread. Otherwise this
     * returns as soon as the question is stored, and the call runs when that is answered, whoever asks for its result then
     * ({@link #proposal}).
     *
     * <p>The thread, which need not exist, is the caller's. It has the call and its result in its transcript, and nothing of it in its chat
     * memory: the model does not learn of it. A turn that has failed is given up, as by a new message. A thread does one thing at a time, so
     * a call that nobody should have to wait for is best proposed on a thread of its own.
     *
     * <p>The same call with the same id gives the same proposal, from every node and after a restart, and is not made again. If its run has
     * died, this lets it go on.
     *
     * @param tool the name of a tool of the agent, of a provider too
     * @param id of the call, for the thread: 1 to {@value io.holdpoint.agui.Agui#MAX_ID_LENGTH} characters, no control characters
     * @return how far it has come
     * @throws RunRejectedException if nothing was proposed: there is no such tool, the arguments do not fit, the id belongs to another call or
     *     everything of the thread was purged ({@link ErrorCode#INPUT_INVALID}); a run is active on the thread
     *     ({@link ErrorCode#RUN_IN_PROGRESS}) or a question open ({@link ErrorCode#INTERRUPT_PENDING}); the thread is another caller's
     *     ({@link ErrorCode#THREAD_NOT_FOUND}, or {@link ErrorCode#INTERRUPT_FORBIDDEN} if this one may see it); the agent is halted or shut
     *     down ({@link ErrorCode#AGENT_HALTED}, {@link ErrorCode#SHUTTING_DOWN})
     */
    public Proposal propose(String threadId, String tool, ObjectNode arguments, String id) {
        return runs.proposals.propose(callers.get(), threadId, Proposals.call(tool, arguments, id));
    }

    /**
     * Reads a proposal and its result, as long as the {@link Retention} keeps finished batches. Whoever may access the thread may read it.
     *
     * @return empty if the thread has no such proposal, or the caller no such thread
     */
    public Optional<Proposal> proposal(String threadId, String id) {
        Caller caller = callers.get();
        return runs.proposals.find(caller, thread(caller, threadId), threadId, id);
    }

    /** Returns the open interrupts of a thread, in the order of the model's calls; none if the caller has no such thread. */
    public List<PendingInterrupt> pending(String threadId) {
        Caller caller = callers.get();
        return runs.threads.pending(caller, thread(caller, threadId));
    }

    /**
     * Returns the audit trail of a thread: its calls as they were proposed, asked about, decided (and by whom), and executed
     * (and with which arguments).
     *
     * @param limit the largest number of events to return
     * @return oldest first; empty after the last, or if there is no such thread
     * @throws IllegalArgumentException if the offset is negative or the limit is not positive
     */
    public List<AuditEvent> auditTrail(String threadId, long offset, int limit) {
        if (offset < 0 || limit <= 0) {
            throw new IllegalArgumentException("offset must not be negative, limit positive: " + offset + ", " + limit);
        }
        Caller caller = callers.get();
        return runs.threads.auditTrail(caller, thread(caller, threadId), offset, limit);
    }

    /**
     * Returns the decisions that a thread remembers and that count, oldest first: the calls that need no further approval, the callers
     * who said so, and the times until which they count. Last come those that count on all threads of its owner in agents that are its
     * tools. There are none if the caller has no such thread.
     */
    public List<Grant> grants(String threadId) {
        Caller caller = callers.get();
        return runs.threads.grants(caller, thread(caller, threadId));
    }

    /**
     * Takes a remembered decision ({@link Grant}) back, at once: calls that it has let through and that have not started do not run. Every
     * caller who may access the thread may do so.
     *
     * @return whether there was one that counted; {@code false} also if the caller has no such thread
     */
    public boolean revoke(String threadId, String grantId) {
        Caller caller = callers.get();
        return runs.threads.revoke(caller, thread(caller, threadId), grantId);
    }

    /**
     * Runs an AG-UI input on the agent's executor, whatever the transport.
     *
     * <p>An input that is not accepted gives a stream with a single {@code RUN_ERROR}, and leaves the thread unchanged.
     *
     * <p>A new message of the thread's owner takes the thread over from a run of this process that no longer has a reader,
     * neither its own sink ({@link EventSink#isRead}) nor somebody who looks on: that run is cancelled as by {@link #cancel(String)}, and
     * the new one begins when it has ended.
     *
     * @param input the input, see {@link io.holdpoint.agui.AguiCodec#readRunAgentInput(String)}
     * @return completed when the run has ended and its last event was sent; never exceptionally. Cancelling or
     *     completing it does not stop the run
     * @throws RunRejectedException if the run does not start, for one of the reasons that {@link ErrorCode} names; no event was sent then
     */
    public CompletableFuture<RunResult> run(RunAgentInput input, EventSink sink) {
        return runs.start(callers.get(), input, sink, config.executor);
    }

    /**
     * Stops the active run of a thread, or gives up what it holds. Every caller who may access the thread may do so.
     *
     * <p>An active run ends with the outcome {@code cancelled} ({@link RunResult.Cancelled}): the model is told to stop if it
     * can be (LangChain4j's streaming handle), and its later answer is ignored; tools that have not started do not start; a
     * tool that is running is let finish, and its result is stored. Text that the user has read is kept in transcript and chat
     * memory. A run on another node of the same store is stopped at its next heartbeat, within a third of the lease's duration
     * (10 seconds by default).
     *
     * <p>Open interrupts count as cancelled, no held call runs, and the model is not asked. In every case the turn is given up,
     * and the thread takes a new message. A record that the store calls damaged ({@link io.holdpoint.store.DamagedException}), perhaps because
     * a newer version wrote it, is removed unread; the audit trail ({@code DISCARDED}) tells which calls are lost. A damaged chat memory of such
     * a store is cleared, which the log tells; one of the application's own is the application's to clear. A failure of another kind is left
     * as it is, and the failure is thrown.
     *
     * @return {@code true} as soon as the run was told to stop, which has not ended yet then; {@code false} if the thread has
     *     neither a run nor open interrupts, or if the caller has no such thread
     * @throws RunRejectedException if other runs kept taking the thread ({@link ErrorCode#RUN_IN_PROGRESS})
     */
    public boolean cancel(String threadId) {
        Caller caller = callers.get();
        return runs.active.cancel(caller, thread(caller, threadId));
    }

    /**
     * Stops one run, as {@link #cancel(String)} does, if it is still the active one. Open interrupts and a run that has begun
     * since are left alone.
     *
     * @return {@code false} if no such run is active on this node
     */
    public boolean cancel(String threadId, String runId) {
        Caller caller = callers.get();
        return runs.active.cancel(caller, thread(caller, threadId), runId);
    }

    /**
     * Halts the agent, on all nodes of its store and also after a restart, until somebody releases it. From the moment on at which this is
     * stored no tool is entered: a call that was claimed before may run, and its result is stored. No run starts, and no
     * answer opens a call ({@link ErrorCode#AGENT_HALTED}); open questions stay open, and cancelling them works. Active runs of this node stop at
     * once, those of others at their next heartbeat, within a third of the lease's duration; a tool that is running is let
     * finish. Questions expire meanwhile, without reminders. An agent that uses this one as a tool is not halted.
     * Agents that work for this one as tools stop in the task that they have begun, which goes on after the release when a
     * person says so.
     *
     * <p>A row in the table {@code holdpoint_halt} does the same, see {@link Store#halt}.
     *
     * @param reason for people: in the audit trail ({@code HALTED}), and told to the agent's callers
     * @return {@code false} if it was halted already, with the reason of then
     * @throws IllegalArgumentException if the reason is blank or has control characters, such as line breaks
     */
    public boolean halt(String reason) {
        return runs.active.halt(callers.get(), reason);
    }

    /**
     * Ends the halt of the agent, for a reason that the audit trail keeps ({@code RELEASED}). A halt of all agents ({@code *}) stays. Runs
     * that were stopped go on with the next input on their thread.
     *
     * @return {@code false} if the agent had no halt of its own
     * @throws IllegalArgumentException if the reason is blank or has control characters
     */
    public boolean release(String reason) {
        return runs.active.endHalt(callers.get(), reason);
    }

    /** Returns the halt of the agent, or of all agents; empty if it is not halted. */
    public Optional<Store.Halt> halted() {
        return config.store.halted();
    }

    /**
     * Shuts the agent down, for all its callers and for good: no further run starts ({@link ErrorCode#SHUTTING_DOWN}), and active ones may
     * go on for the time of grace. Those that have not ended then are stopped with the same code, and their threads are given back:
     * decisions and results are kept, and the same input goes on from there on another node. A purge that the agent has begun by itself is
     * let end, within 5 seconds. The store is not closed, and all methods that start no run still work.
     *
     * @return {@code true} if all runs came to their own end
     */
    public boolean shutdown(Duration grace) {
        return runs.shutDown(grace);
    }

    /** Shuts down like {@link #shutdown} with {@link #DEFAULT_GRACE}. */
    @Override
    public void close() {
        shutdown(DEFAULT_GRACE);
    }

    /**
     * Does what time has to do at present: the steps of the {@link Timeline} of each open question, and a question about each call that a
     * server left behind when it died ({@code langchain4j:outcome_unknown}), so that it is in {@link #pending} without any
     * input. Never runs a tool that nobody has approved, and never asks the model unless a timeline says
     * {@link WhenExpired#GO_ON}, or the last question of a message expires after others were answered.
     *
     * <p>The agent does it by itself every ten seconds, on a thread of its own. With a {@linkplain HoldpointBuilder#clock clock} that does not
     * run as time does, neither it nor what is given to {@link HoldpointBuilder#with} does anything by itself: this method does all of it
     * then. Nodes on one store may do it at once: each step happens once. A thread with an active run is left to the next time. A run has died if its lease has ended and
     * stays as it is from look to look, for longer than a renewal takes; of a lease that ended ten minutes ago, this method believes it at
     * once.
     *
     * @return in how many threads something was done
     */
    public int actOnTime() {
        return runs.actOnTime();
    }

    /**
     * Applies the {@link Retention} until no record is due: settles abandoned batches as expired, so that their
     * threads take new messages, and removes finished batches, idle threads and old audit events. An answer to a removed
     * batch is refused as too late. Agents that work as its tools do the same, each by its own retention, and are counted. Works in small
     * transactions, one after another. The agent does it
     * by itself after a run, at most once a minute, and rests in between. Nodes on one store may do it at once.
     */
    public Retention.Purged purge() {
        return runs.purge.now();
    }

    /**
     * Describes the agent's capabilities for clients. Media and reasoning depend on the model, so they are described only if
     * {@link ClientSettings#inputMedia} and {@link ClientSettings#exposeReasoning} are set.
     */
    public AgentCapabilities capabilities() {
        Optional<AgentCapabilities.Reasoning> reasoning =
                config.reasoning.map(shown -> new AgentCapabilities.Reasoning(shown, shown, false));
        Optional<AgentCapabilities.Multimodal.Input> input =
                config.inputMedia.map(media -> new AgentCapabilities.Multimodal.Input(
                        media.takes(ContentType.IMAGE),
                        media.takes(ContentType.AUDIO),
                        media.takes(ContentType.VIDEO),
                        media.takes(ContentType.PDF),
                        false));
        return new AgentCapabilities(
                null,
                new AgentCapabilities.Transport(true, false, false, false, false),
                new AgentCapabilities.Tools(true, null, true, true),
                null,
                new AgentCapabilities.State(true, true, false, true),
                null,
                reasoning.orElse(null),
                input.map(taken -> new AgentCapabilities.Multimodal(taken, null))
                        .orElse(null),
                null,
                new AgentCapabilities.HumanInTheLoop(true, true, null, null, true, true),
                null);
    }

    private String thread(Caller caller, String id) {
        return config.threadIds.of(caller, id);
    }

    private static RunAgentInput answered(String threadId, Collection<ResumeEntry> answers) {
        return RunAgentInput.of(threadId, Ids.run(), List.of()).withResume(List.copyOf(answers));
    }

    private RunResult runHere(RunAgentInput input) {
        try {
            return runs.start(callers.get(), input, EventEmitter.NOBODY, Runnable::run)
                    .join();
        } catch (RunRejectedException e) {
            return new RunResult.Failed(e.code(), String.valueOf(e.getMessage()), Optional.of(e));
        }
    }
}
