package io.holdpoint.internal.run;

import com.fasterxml.jackson.databind.JsonNode;
import dev.langchain4j.agent.tool.ToolExecutionRequest;
import dev.langchain4j.data.message.AiMessage;
import dev.langchain4j.data.message.ChatMessage;
import dev.langchain4j.data.message.ChatMessageType;
import dev.langchain4j.data.message.UserMessage;
import dev.langchain4j.memory.ChatMemory;
import io.holdpoint.Caller;
import io.holdpoint.ErrorCode;
import io.holdpoint.RunResult;
import io.holdpoint.agui.AguiCodec;
import io.holdpoint.agui.Message;
import io.holdpoint.agui.ResumeEntry;
import io.holdpoint.agui.RunAgentInput;
import io.holdpoint.internal.agent.Hooks.RunHooks;
import io.holdpoint.internal.aiservice.AiServiceCall;
import io.holdpoint.internal.input.Plan;
import io.holdpoint.internal.input.Plan.Step;
import io.holdpoint.internal.input.Preflight.Answers;
import io.holdpoint.internal.input.UserContents.SkippedPart;
import io.holdpoint.internal.journal.RunWatch;
import io.holdpoint.internal.lease.RunStop;
import io.holdpoint.internal.memory.ChatMessageJson.UnreadableRecordException;
import io.holdpoint.internal.memory.MemoryRepair;
import io.holdpoint.internal.memory.RememberedMessage;
import io.holdpoint.internal.question.OutcomeUnknown;
import io.holdpoint.internal.turn.BatchSettlement;
import io.holdpoint.internal.turn.ClientContext;
import io.holdpoint.internal.turn.ClientResults;
import io.holdpoint.internal.turn.Failures;
import io.holdpoint.internal.turn.Run;
import io.holdpoint.internal.turn.Turn;
import io.holdpoint.internal.turn.Turn.TurnOutcome;
import io.holdpoint.internal.turn.TurnGate;
import io.holdpoint.store.Batch;
import io.holdpoint.store.Call.Question;
import io.holdpoint.store.Commit;
import io.holdpoint.store.HaltedException;
import io.holdpoint.store.Store.ThreadRecord;
import io.holdpoint.store.TurnRecord;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * One run: finds out with the preflight what its input means, and takes the steps that follow from that, one after another,
 * until one of them ends it.
 */
final class AgentRun implements Runnable {

    private static final Logger LOG = LoggerFactory.getLogger(AgentRun.class);
    private static final String CONTENT_SKIPPED = "holdpoint:content_skipped";

    private final AgentRuns<?> runs;
    private final Run run;
    private final RunHooks hooks;
    private final RunAgentInput input;
    private final Answers how;
    private final ClientContext offered;
    private final RunEnding ending;
    /** The call that the input proposes. */
    private final Optional<ToolExecutionRequest> proposed;
    /** The caller is the thread's owner. */
    private final boolean forOwner;

    private final Deque<Step> steps = new ArrayDeque<>();
    private final Thread starter = Thread.currentThread();
    private ClientContext context = ClientContext.NONE;
    /** An earlier turn of the thread got no answer. */
    private boolean unanswered;
    /** The batch that the present turn goes on from. */
    private Optional<Batch> continued = Optional.empty();
    /** The new messages of the input. */
    private List<Message> heard = List.of();

    /** Takes the steps in place of the thread that stores the answers. */
    private volatile @Nullable Executor worker;
    /** The plan, once its answers are stored or refused. */
    private volatile @Nullable Plan planned;

    private TurnOutcome last = TurnOutcome.completed(null, "");

    AgentRun(
            AgentRuns<?> runs,
            Run run,
            RunHooks hooks,
            RunAgentInput input,
            Answers how,
            ClientContext offered,
            Optional<ToolExecutionRequest> proposed) {
        this.proposed = proposed;
        this.runs = runs;
        this.run = run;
        this.hooks = hooks;
        this.input = input;
        this.how = how;
        this.offered = offered;
        this.ending = new RunEnding(run, hooks);
        this.forOwner = run.owner.equals(run.caller.id());
        hooks.whenFailed(() -> run.stop.request(RunStop.Reason.HOOK_FAILED));
    }

    CompletableFuture<RunResult> result() {
        return ending.result();
    }

    @Nullable
    Plan planned() {
        return planned;
    }

    /** Finds out what the input means, and takes the first step; the others follow as the turns end. */
    @Override
    public void run() {
        boolean ofStarter = Thread.currentThread() == starter;
        if (ofStarter) {
            run.stop.caller.begins();
        }
        RunWatch.Scope scope = run.watch.enter();
        try {
            Executor other = worker;
            worker = null;
            if (planned == null && !plans(other != null)) {
                return;
            }
            if (other == null) {
                recall();
                next();
            } else {
                other.execute(this);
            }
        } catch (Throwable e) {
            ending.failed(e);
        } finally {
            scope.close();
            if (ofStarter) {
                run.stop.caller.ends();
            }
        }
    }

    /** Stores the answers or refuses them, and leaves the steps that follow to an executor. */
    void answers(Executor executor) {
        worker = executor;
        run();
    }

    /** Tells whether there are steps to take. */
    private boolean plans(boolean storesFirst) {
        run.config.observers.started(hooks.run);
        Optional<ThreadRecord> thread = run.found;
        unanswered = thread.isPresent() && thread.get().turn().isPresent();
        if (forOwner) {
            context = offered; // others may only decide, so the model does not get their data
        }
        Plan plan = proposed.isPresent()
                ? runs.preflight.propose(thread, run.caller, proposed.get(), input)
                : runs.preflight.plan(thread, run.caller, input, how);
        if (plan instanceof Plan.Accepted accepted) {
            begin(accepted, thread, storesFirst);
            if (steps.isEmpty()) {
                ending.unchanged(accepted.answers(), input.protocolVersion() == null);
            }
        } else {
            planned = plan;
            refused((Plan.Rejected) plan, thread);
        }
        return !steps.isEmpty();
    }

    /**
     * A client from before 1.0 keeps its card after an error, but not its buttons, and sends nothing more: it gets the open
     * questions again. So does every client that answers an open question together with
     * one that somebody else has settled otherwise.
     */
    private void refused(Plan.Rejected rejected, Optional<ThreadRecord> thread) {
        Optional<Batch> open = thread.flatMap(ThreadRecord::batch).filter(Batch::isOpen);
        boolean hasCard = open.isPresent() || !input.resume().isEmpty();
        if (isStale(rejected, open) || hasCard && input.protocolVersion() == null) {
            thread.flatMap(ThreadRecord::state).ifPresent(run.state::startsFrom);
            tellStart();
            ending.asksAgain(rejected, open, input.protocolVersion() == null);
        } else {
            ending.refused(rejected);
        }
    }

    private boolean isStale(Plan.Rejected rejected, Optional<Batch> open) {
        Set<String> answered =
                input.resume().stream().map(ResumeEntry::interruptId).collect(Collectors.toSet());
        return !rejected.settled().isEmpty()
                && open.map(Batch::openQuestions).orElse(List.of()).stream()
                        .anyMatch(question ->
                                answered.contains(question.interrupt().id()));
    }

    private void begin(Plan.Accepted plan, Optional<ThreadRecord> thread, boolean storesFirst) {
        if ((plan.steps().isEmpty() || storesFirst) && !plan.commit().isEmpty()) {
            run.journal.commit(plan.commit());
        } else {
            run.journal.later(plan.commit()); // with the first step
        }
        planned = plan;
        Optional<JsonNode> sent = plan.commit().state();
        Optional<JsonNode> state =
                sent.isPresent() || thread.isEmpty() ? sent : thread.get().state();
        if (state.isPresent()) {
            run.state.startsFrom(state.get());
        }
        Optional<Batch> batch = thread.isPresent() ? thread.get().batch() : Optional.empty();
        List<Question> open = batch.isPresent() ? batch.get().openQuestions() : List.of();
        if (!plan.answers().isEmpty()) {
            run.journal.audit.replayed(plan.answers(), open);
        }
        steps.addAll(plan.steps());
        heard = plan.heard();
        boolean shows = !(steps.peek() instanceof Step.Begin begin) || begin.shows();
        ending.hears(input.messages(), heard, shows);
        tellStart();
        tellAnswers(plan.answers(), open);
        boolean isNews = sent.isEmpty() && state.isPresent() && !state.get().isEmpty();
        if (isNews && !steps.isEmpty()) {
            run.state.tell();
        }
    }

    private void tellStart() {
        run.events.runStarted(run.clientThreadId, run.runId, input.parentRunId());
    }

    private void tellAnswers(List<ResumeEntry> answers, List<Question> open) {
        for (ResumeEntry answer : answers) {
            for (Question question : open) {
                if (question.interrupt().id().equals(answer.interruptId())) {
                    run.progress.answered(question.interrupt(), answer);
                }
            }
        }
    }

    /** Fills a memory that was not kept from the transcript, up to the turn that goes on. */
    private void recall() {
        ThreadRecord thread = run.found.orElse(null);
        if (thread != null && thread.purged() && thread.changedAt().isEmpty()) {
            run.memory().clear(); // another server has purged it, and the memory may be of this process
        }
        if (thread == null || isReplacedNext() || !run.config.memories.isForgotten(run.threadId)) {
            return;
        }
        Optional<TurnRecord> goesOn = steps.peek() instanceof Step.Begin
                        || thread.batch().filter(Batch::isProposal).isPresent()
                ? Optional.empty()
                : thread.batch().map(Batch::turn).or(thread::turn);
        List<ChatMessage> texts =
                new ArrayList<>(runs.preflight.texts(run.threadId, goesOn.map(TurnRecord::userMessageId)));
        boolean isAnswered = texts.stream().anyMatch(text -> text.type() == ChatMessageType.AI);
        if (isAnswered) { // a memory that got no answer may never have got the question either
            LOG.atLevel(run.config.memories.isFirstLoss() ? Level.WARN : Level.DEBUG)
                    .log(
                            "The chat memory of thread {} was not kept: it gets the texts of the transcript. Give the memories of"
                                    + " the ChatMemoryProvider a ChatMemoryStore, so that tool calls are remembered too. Said"
                                    + " once; other threads may have lost theirs as well.",
                            run.threadId);
            goesOn.flatMap(this::asRemembered).ifPresent(texts::add);
            remember(texts);
        }
    }

    /** The user message of a turn; without it in its place, one of an earlier turn that says the same would pass for it. */
    private Optional<ChatMessage> asRemembered(TurnRecord turn) {
        try {
            return RememberedMessage.of(turn, run.userMessages).map(RememberedMessage::message);
        } catch (UnreadableRecordException e) {
            LOG.debug("The turn that goes on cannot be read, and is given up by its step", e);
            return Optional.empty();
        }
    }

    private void next() {
        Step step = steps.peek();
        if (step == null) {
            ending.completed(last);
        } else if (run.stop.reason().isEmpty()) {
            steps.remove();
            if (step instanceof Step.Continue given) {
                call(given.batch().turn(), Optional.of(given.batch()), Optional.empty());
            } else if (step instanceof Step.Begin begin) {
                beginTurn(begin);
            } else if (step instanceof Step.Rerun again) {
                call(again.turn(), Optional.empty(), Optional.empty());
            } else if (step instanceof Step.Settle given) {
                settleBatch(given);
            } else if (step instanceof Step.ClientResults given) {
                takeClientResults(given);
            } else if (step instanceof Step.Propose given) {
                propose(given);
            } else {
                seedThread((Step.Seed) step);
            }
        } else if (run.stop.reason().get() == RunStop.Reason.HALTED && isCancelled(step)) {
            steps.remove();
            settleBatch(step instanceof Step.Continue given ? new Step.Settle(given.batch()) : (Step.Settle) step);
        } else {
            ending.stopped();
        }
    }

    /** A halt lets what was given up come to its end, without the model. */
    private static boolean isCancelled(Step step) {
        return step instanceof Step.Settle
                || step instanceof Step.Continue given && given.batch().givenUp();
    }

    // --- the steps

    private void takeClientResults(Step.ClientResults step) {
        ClientResults supplies = ClientResults.of(run, step, heard, run.limits.resultLength());
        run.journal.commit(supplies.commit());
        if (input.messages().stream().allMatch(sent -> sent instanceof Message.Tool)) {
            supplies.transcript()
                    .forEach(run.events::toolResult); // a client that sends all that it shows shows them already
        }
        Batch batch = supplies.batch();
        if (batch.isOpen()) {
            ending.held(batch);
        } else {
            steps.addFirst(Step.completing(batch, step.newMessage()));
            next();
        }
    }

    private void settleBatch(Step.Settle step) {
        if (asksAgain(step.batch())) {
            return;
        }
        BatchSettlement settlement = new BatchSettlement(run);
        if (isReplacedNext()) {
            settlement.settleUnheard(step.batch());
        } else {
            settlement.settle(step.batch());
        }
        next();
    }

    /** Ends the run with the questions about calls that another one has started and not finished, if there are any; what comes next waits. */
    private boolean asksAgain(Batch unfinished) {
        Optional<Batch> asked = OutcomeUnknown.askAbout(unfinished, run.clock.instant());
        if (asked.isPresent()) {
            run.journal.commit(Commit.of(asked.get()));
            ending.held(asked.get());
        }
        return asked.isPresent();
    }

    /** Checks whether the next step takes the place of the end of the thread. */
    private boolean isReplacedNext() {
        return steps.peek() instanceof Step.Begin begin && begin.replaced().isPresent();
    }

    private void beginTurn(Step.Begin step) {
        tellSkipped(step.skipped());
        if (unanswered) {
            new MemoryRepair(run.memory()).leaveOutMedia();
        }
        Commit commit = Commit.empty();
        if (step.replaced().isPresent()) {
            forget(step.replaced().get());
            commit = commit.cut(step.replaced().get().end());
        }
        if (run.found.isPresent()) {
            new MemoryRepair(run.memory()).endResults();
        }
        remember(step.memory());
        TurnRecord turn = new TurnRecord(
                step.transcript().get(step.transcript().size() - 1).id(),
                run.userMessages.write(step.message()),
                run.caller.roles(),
                hooks.storedForwardedProps());
        run.journal.commit(commit.append(step.transcript()).turn(turn));
        call(turn, Optional.empty(), Optional.empty());
    }

    /** Before the transcript, so that the model never remembers what that does not have. */
    private void forget(Step.Replaced replaced) {
        new MemoryRepair(run.memory()).cut(replaced.turns(), replaced.last(), replaced.before(), replaced.texts());
    }

    private void propose(Step.Propose step) {
        ToolExecutionRequest call = step.call();
        TurnRecord turn = new TurnRecord(
                call.id(),
                run.userMessages.write(UserMessage.from(call.name())),
                run.caller.roles(),
                hooks.storedForwardedProps());
        call(turn, Optional.empty(), Optional.of(AiMessage.from(call)));
    }

    private void seedThread(Step.Seed step) {
        tellSkipped(step.skipped());
        remember(step.memory());
        run.journal.later(Commit.empty().append(step.transcript()));
        ending.unchanged(List.of(), false);
    }

    private void tellSkipped(List<SkippedPart> skipped) {
        if (!skipped.isEmpty()) {
            run.events.custom(CONTENT_SKIPPED, AguiCodec.mapper().valueToTree(skipped));
        }
    }

    /**
     * Puts messages into the chat memory before the transcript gets them, so that they count as new if that fails, and are not
     * added twice afterwards. The thread has its owner before that, or the memory could be anybody's.
     */
    private void remember(List<ChatMessage> messages) {
        if (messages.isEmpty()) {
            return;
        }
        run.journal.commit(Commit.empty());
        ChatMemory memory = run.memory();
        List<ChatMessage> all = new ArrayList<>(memory.messages());
        int start = Math.max(0, all.size() - messages.size());
        if (!all.subList(start, all.size()).equals(messages)) {
            all.addAll(messages);
            memory.set(all);
        }
    }

    // --- a turn

    private void call(TurnRecord record, Optional<Batch> unfinished, Optional<AiMessage> proposal) {
        continued = unfinished;
        TurnGate ofTurn = new TurnGate(
                run, requester(record), proposal.isPresent() ? Optional.of(run.caller.id()) : Optional.empty());
        Turn turn = new Turn(run, ofTurn, record, unfinished, proposal, context, outcome -> {
            try {
                ended(outcome);
            } catch (Throwable e) {
                ending.failed(e);
            }
        });
        ending.worksOn(turn);
        run.lease.whenLost(() -> giveUp(turn));
        run.stop.stops(turn::stop);
        AiServiceCall.make(
                runs.service, run, turn, run.memory(), hooks, hooks.forwardedProps(forOwner, record.forwardedProps()));
    }

    /**
     * The caller that the calls of a turn are made for: the owner of the thread, whose words they come from. A caller who only
     * answers questions lends the conversation neither a name nor roles.
     */
    private Caller requester(TurnRecord turn) {
        return forOwner ? run.caller : new Caller(run.owner, turn.roles());
    }

    /**
     * Works on a thread of its own, because the end of a run writes to its client, and the heartbeat must not wait for that; the application's
     * pool may be full of runs that hang.
     */
    private void giveUp(Turn lost) {
        run.config.timer.aside(() -> run.watch.within(() -> {
            lost.failed(run.lease.lostException());
            lost.output.stream.cancel();
        }));
    }

    // --- a turn has ended

    private void ended(TurnOutcome turn) {
        switch (turn.kind()) {
            case COMPLETED -> {
                last = turn;
                next();
            }
            case HELD -> ending.held(turn.batch());
            case LEFT_TO_CLIENT -> leftToClient(turn.batch());
            case STOPPED -> ending.stopped();
            case FAILED -> failed(turn.cause(), turn.origin());
        }
    }

    /** A new message does not wait for the client's tools: it gives up the calls that are left to them. */
    private void leftToClient(Batch batch) {
        if (steps.isEmpty()) {
            ending.leftToClient(batch);
        } else {
            settleBatch(new Step.Settle(batch));
        }
    }

    /**
     * A batch that could not be continued is given up if a new message waits behind it, or if it can no longer be read and
     * nothing of it was decided to run, unless a person has to be asked first.
     */
    private void failed(Throwable cause, Failures.Origin origin) {
        if (run.stop.isAtOnce()) { // the interrupt of its thread has made it fail, before it heard of the stop
            ending.stopped();
            return;
        }
        if (Failures.code(cause, origin) == ErrorCode.MODEL_REQUEST_INVALID) {
            new MemoryRepair(run.memory()).leaveOutMediaOfResults();
        }
        boolean halted = cause instanceof HaltedException;
        if (continued.isPresent() && !ending.isTakenOver(cause) && !halted) {
            Optional<Batch> unfinished = run.thread()
                    .flatMap(ThreadRecord::batch)
                    .filter(stored -> stored.version() >= continued.get().version()); // or its answers are not stored
            if (unfinished.isPresent() && mustMoveOn(unfinished.get(), cause)) {
                moveOn(unfinished.get(), cause);
                return;
            }
        }
        ending.failed(cause, origin);
    }

    private boolean mustMoveOn(Batch unfinished, Throwable cause) {
        return !steps.isEmpty() || (cause instanceof UnreadableRecordException && unfinished.givenUp());
    }

    private void moveOn(Batch unfinished, Throwable cause) {
        LOG.warn("The batch {} could not be continued", unfinished.id(), ending.forLog(cause));
        run.events.closeAll();
        if (asksAgain(unfinished)) {
            return;
        }
        if (unfinished.isOpen()) {
            ending.held(unfinished);
        } else {
            settleBatch(new Step.Settle(unfinished));
        }
    }
}
