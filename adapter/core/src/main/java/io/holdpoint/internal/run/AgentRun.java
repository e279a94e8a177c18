package io.holdpoint.internal.run;

import com.fasterxml.jackson.databind.JsonNode;
import dev.langchain4j.data.message.ChatMessage;
import dev.langchain4j.memory.ChatMemory;
import io.holdpoint.Caller;
import io.holdpoint.ErrorCode;
import io.holdpoint.RunResult;
import io.holdpoint.agui.AguiCodec;
import io.holdpoint.agui.Message;
import io.holdpoint.agui.ResumeEntry;
import io.holdpoint.agui.RunAgentInput;
import io.holdpoint.agui.RunFinishedOutcome;
import io.holdpoint.internal.agent.AgentConfig;
import io.holdpoint.internal.agent.RunHooks;
import io.holdpoint.internal.aiservice.AiServiceCall;
import io.holdpoint.internal.aiservice.AiServiceFactory;
import io.holdpoint.internal.events.EventEmitter;
import io.holdpoint.internal.follow.ThreadView;
import io.holdpoint.internal.gate.Gate;
import io.holdpoint.internal.input.Deciders;
import io.holdpoint.internal.input.Plan;
import io.holdpoint.internal.input.Preflight;
import io.holdpoint.internal.input.SkippedPart;
import io.holdpoint.internal.input.Step;
import io.holdpoint.internal.input.UnnamedAnswer;
import io.holdpoint.internal.lease.RunStop;
import io.holdpoint.internal.memory.ChatMessageJson.UnreadableRecordException;
import io.holdpoint.internal.memory.MemoryRepair;
import io.holdpoint.internal.question.ClientCalls;
import io.holdpoint.internal.question.OutcomeUnknown;
import io.holdpoint.internal.turn.BatchSettlement;
import io.holdpoint.internal.turn.ClientContext;
import io.holdpoint.internal.turn.ClientResults;
import io.holdpoint.internal.turn.Failures;
import io.holdpoint.internal.turn.GivingUp;
import io.holdpoint.internal.turn.RememberedDecisions;
import io.holdpoint.internal.turn.Run;
import io.holdpoint.internal.turn.Turn;
import io.holdpoint.internal.turn.TurnOutcome;
import io.holdpoint.internal.turn.TurnTools;
import io.holdpoint.store.Batch;
import io.holdpoint.store.BatchState;
import io.holdpoint.store.Call;
import io.holdpoint.store.Commit;
import io.holdpoint.store.LeaseLostException;
import io.holdpoint.store.Question;
import io.holdpoint.store.ThreadRecord;
import io.holdpoint.store.TurnRecord;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One run, from its input to its last event: takes the steps that the preflight found, one after another. */
final class AgentRun<A> implements Step.Steps {

    private static final Logger LOG = LoggerFactory.getLogger(AgentRun.class);
    private static final String TAKEN_OVER =
            "This run was not heard of for too long, and another one has taken the thread over. Nothing more of it is"
                    + " kept. Send an input without message and answers to see the thread.";

    private static final String TIMED_OUT =
            "The run took too long and was stopped. What was decided and done is kept: send the same input again.";
    private static final String SHUT_DOWN =
            "The server is shutting down. What was decided and done is kept: send the same input again, to the server"
                    + " that takes its place.";
    private static final String CONTENT_SKIPPED = "holdpoint:content_skipped";

    private final AgentConfig<A> settings;
    private final AiServiceFactory<A> services;
    private final Gate gate;
    private final Run run;
    private final ThreadView view;
    private final RunAgentInput input;
    private final ClientContext offer;
    private final RunHooks<A> hooks;
    private final CompletableFuture<RunResult> result = new CompletableFuture<>();
    private final Deque<Step> steps = new ArrayDeque<>();
    private List<Message> heard = List.of();
    private boolean continues;
    private Optional<Turn> session = Optional.empty();
    private boolean unanswered;
    private ClientContext context = ClientContext.NONE;
    private TurnOutcome.Completed last = new TurnOutcome.Completed(null, "");

    AgentRun(
            AgentConfig<A> settings,
            AiServiceFactory<A> services,
            Gate gate,
            Run run,
            RunAgentInput input,
            ClientContext offer,
            RunHooks<A> hooks) {
        this.settings = settings;
        this.services = services;
        this.gate = gate;
        this.run = run;
        this.view = new ThreadView(run);
        this.input = input;
        this.offer = offer;
        this.hooks = hooks;
        hooks.whenFailed(() -> run.stop().request(RunStop.Reason.HOOK_FAILED));
    }

    CompletableFuture<RunResult> result() {
        return result;
    }

    void execute(Preflight preflight) {
        hooks.started();
        try {
            Optional<ThreadRecord> thread = run.store().find(run.threadId());
            run.journal().startsFrom(thread.flatMap(ThreadRecord::batch));
            RunAgentInput named = UnnamedAnswer.named(run.store(), thread, input);
            unanswered = thread.flatMap(ThreadRecord::turn).isPresent();
            if (thread.map(known -> known.owner().equals(run.caller().id())).orElse(true)) {
                context = offer;
            }
            Plan plan = preflight.plan(thread, run.caller(), named);
            if (plan instanceof Plan.Rejected rejected) {
                LOG.debug("Run {} on thread {} was refused: {}", run.runId(), run.threadId(), rejected.code());
                fail(rejected.code(), rejected.message(), Optional.empty());
            } else {
                begin((Plan.Accepted) plan, named.resume(), thread);
            }
        } catch (Throwable e) {
            fail(e);
        }
    }

    private void begin(Plan.Accepted plan, List<ResumeEntry> answers, Optional<ThreadRecord> thread) {
        if (!plan.commit().equals(Commit.empty())) {
            run.commit(plan.commit());
        }
        Optional<JsonNode> given = plan.commit().state();
        run.state().startsFrom(given.or(() -> thread.flatMap(ThreadRecord::state)), given.isPresent());
        run.journal().notes().replayed(answers, thread.flatMap(ThreadRecord::batch).map(Batch::openQuestions).orElse(List.of()));
        steps.addAll(plan.steps());
        heard = plan.heard();
        continues = !(steps.peek() instanceof Step.Begin);
        run.events().runStarted(run.threadId(), run.runId());
        if (steps.isEmpty()) {
            presentAgain();
        } else {
            next();
        }
    }

    private void next() {
        if (!steps.isEmpty() && run.stop().reason().isPresent()) {
            stopped();
            return;
        }
        Step step = steps.poll();
        if (step == null) {
            succeed();
        } else {
            step.take(this);
        }
    }

    @Override
    public void continueBatch(Step.Continue step) {
        call(step.batch().turn(), Optional.of(step.batch()), this::continued);
    }

    @Override
    public void takeClientResults(Step.ClientResults step) {
        ClientResults supplies = ClientResults.of(
                run, step, heard, settings.limits.resultLength());
        run.commit(supplies.commit());
        Batch batch = supplies.batch();
        if (batch.state() == BatchState.OPEN) {
            hold(batch);
        } else {
            steps.addFirst(Step.completing(batch, step.newMessage()));
            next();
        }
    }

    @Override
    public void settleBatch(Step.Settle step) {
        new BatchSettlement(run, memory(), settings.limits).settle(step.batch());
        next();
    }

    @Override
    public void beginTurn(Step.Begin step) {
        tellSkipped(step.skipped());
        if (unanswered) {
            new MemoryRepair(memory()).leaveOutMedia();
        }
        remember(step.memory());
        TurnRecord turn = step.turn().withRoles(run.caller().roles());
        run.commit(Commit.empty().append(step.transcript()).turn(turn));
        call(turn, Optional.empty(), this::ended);
    }

    @Override
    public void rerunTurn(Step.Rerun step) {
        call(step.turn(), Optional.empty(), this::ended);
    }

    @Override
    public void seedThread(Step.Seed step) {
        tellSkipped(step.skipped());
        remember(step.memory());
        run.commit(Commit.empty().append(step.transcript()));
        present(view.open());
    }

    private void tellSkipped(List<SkippedPart> skipped) {
        if (!skipped.isEmpty()) {
            run.events().custom(CONTENT_SKIPPED, AguiCodec.mapper().valueToTree(skipped));
        }
    }

    /**
     * Before the transcript has them, so that they count as new if this fails; not twice if it failed afterwards. The thread
     * has its owner before that: a memory of a thread that nobody owns could be anybody's.
     */
    private void remember(List<ChatMessage> messages) {
        if (messages.isEmpty()) {
            return;
        }
        run.commit(Commit.empty());
        List<ChatMessage> all = new ArrayList<>(memory().messages());
        int start = Math.max(0, all.size() - messages.size());
        if (!all.subList(start, all.size()).equals(messages)) {
            all.addAll(messages);
            memory().set(all);
        }
    }

    private void call(TurnRecord turn, Optional<Batch> unfinished, Consumer<TurnOutcome> then) {
        Turn called = new Turn(
                run,
                new TurnTools(
                        settings.policyReader,
                        gate,
                        new Gate.Scope(requester(turn), run.threadId(), run.runId()),
                        new RememberedDecisions(
                                run.store(),
                                run.threadId(),
                                run.clock(),
                                new Deciders(settings.authorizer))),
                turn,
                unfinished,
                context,
                outcome -> {
                    try {
                        then.accept(outcome);
                    } catch (Throwable e) {
                        fail(e);
                    }
                });
        session = Optional.of(called);
        run.lease().whenLost(() -> giveUp(called));
        run.stop().stops(called::stop);
        new AiServiceCall<>(settings, services, run, called, memory(), hooks).make(turn);
    }

    /**
     * Who the calls of a turn are for: the owner of the thread, who has said what they come from. Somebody who only answers
     * what is asked lends the conversation neither their name nor their roles.
     */
    private Caller requester(TurnRecord turn) {
        String owner = run.store()
                .find(run.threadId())
                .map(ThreadRecord::owner)
                .orElse(run.caller().id());
        return owner.equals(run.caller().id()) ? run.caller() : new Caller(owner, turn.roles());
    }

    /** Not on a thread of the heartbeat: the end of a run writes to its client. */
    private void giveUp(Turn lost) {
        run.execute(() -> {
            lost.failed(run.lease().lostException());
            lost.output().stream().cancel();
        });
    }

    /**
     * A batch that cannot be continued must not keep a new message from being heard: it is given up instead, unless a person
     * has to be asked first. So is one that cannot be read any more, and of which nothing was decided to run.
     */
    private void continued(TurnOutcome outcome) {
        Optional<Batch> unfinished = outcome instanceof TurnOutcome.Failed failed && !isTakenOver(failed.cause())
                ? run.store().find(run.threadId()).flatMap(ThreadRecord::batch)
                : Optional.empty();
        if (unfinished.isEmpty() || !mustMoveOn(unfinished.get(), ((TurnOutcome.Failed) outcome).cause())) {
            ended(outcome);
            return;
        }
        Batch batch = unfinished.get();
        Optional<Batch> askedAgain = OutcomeUnknown.askAbout(batch, run.clock().instant());
        LOG.warn(
                "The batch {} could not be continued{}",
                batch.id(),
                askedAgain.isPresent() ? "" : "; it is given up",
                ((TurnOutcome.Failed) outcome).cause());
        run.events().closeAll();
        if (askedAgain.isPresent()) {
            run.commit(Commit.of(askedAgain.get()));
            hold(askedAgain.get());
        } else if (batch.state() == BatchState.OPEN) {
            hold(batch);
        } else {
            settleBatch(new Step.Settle(batch));
        }
    }

    private boolean mustMoveOn(Batch unfinished, Throwable cause) {
        return !steps.isEmpty() || (cause instanceof UnreadableRecordException && unfinished.givenUp());
    }

    private void ended(TurnOutcome outcome) {
        if (outcome instanceof TurnOutcome.Held held) {
            hold(held.batch());
        } else if (outcome instanceof TurnOutcome.LeftToClient left) {
            leaveToClient(left.batch());
        } else if (outcome instanceof TurnOutcome.Failed failed) {
            fail(failed.cause(), failed.origin());
        } else if (outcome instanceof TurnOutcome.Stopped) {
            stopped();
        } else {
            last = (TurnOutcome.Completed) outcome;
            next();
        }
    }

    private void hold(Batch batch) {
        run.events().closeAll();
        present(batch.openQuestions());
    }

    /** Whoever says something new does not wait for the client's tools. */
    private void leaveToClient(Batch batch) {
        if (!steps.isEmpty()) {
            settleBatch(new Step.Settle(batch));
            return;
        }
        run.events().closeAll();
        if (continues) {
            view.messages(heard);
        }
        List<String> left =
                ClientCalls.left(batch).stream().map(Call::toolCallId).toList();
        finish(new RunFinishedOutcome.Success(left), null, new RunResult.LeftToClient(left));
    }

    private void presentAgain() {
        List<Question> open = view.open();
        run.journal().notes().presented(open);
        List<String> left = run.store()
                .find(run.threadId())
                .flatMap(ThreadRecord::batch)
                .filter(batch -> open.isEmpty())
                .map(ClientCalls::waitedFor)
                .orElse(List.of());
        if (left.isEmpty()) {
            present(open);
        } else {
            view.snapshot(heard);
            finish(new RunFinishedOutcome.Success(left), null, new RunResult.LeftToClient(left));
        }
    }

    /** The thread as it is: with its open interrupts, if there are any. */
    private void present(List<Question> open) {
        view.snapshot(heard);
        if (open.isEmpty()) {
            finish(RunFinishedOutcome.success(), null, new RunResult.Completed(null, ""));
        } else {
            finish(ThreadView.outcome(open), null, new RunResult.Interrupted(ThreadView.pending(open)));
        }
    }

    private void succeed() {
        run.events().closeAll();
        if (continues) {
            view.messages(heard);
        }
        finish(
                RunFinishedOutcome.success(),
                AiServiceCall.json(last.value()),
                new RunResult.Completed(last.value(), last.text()));
    }

    /** The run does not come to its own end. What is kept of a turn that nobody gave up is run again like one that failed. */
    private void stopped() {
        switch (run.stop().reason().orElseThrow()) {
            case CANCELLED -> cancelled();
            case TIMED_OUT -> fail(ErrorCode.RUN_TIMEOUT, TIMED_OUT, Optional.empty());
            case SHUT_DOWN -> fail(ErrorCode.SHUTTING_DOWN, SHUT_DOWN, Optional.empty());
            case HOOK_FAILED -> fail(hooks.failure().orElseThrow());
        }
    }

    private void cancelled() {
        run.stop().take();
        try {
            giveUpTurn();
            view.messages(heard);
        } catch (Throwable e) {
            fail(e);
            return;
        }
        finish(RunFinishedOutcome.cancelled(), null, new RunResult.Cancelled());
    }

    /** Everything is closed before, so that results of what did not run may follow. */
    private void giveUpTurn() {
        Optional<Message.Assistant> said = session.flatMap(turn -> turn.output().text().breakOff());
        List<Message> thought = session.map(turn -> turn.output().reasoning().breakOff()).orElse(List.of());
        run.events().closeAll();
        new GivingUp(run, memory(), settings.limits).giveUp(thought, said);
    }

    /** The lease goes before the last event: whoever reads the event may start the next run at once, and finds it counted. */
    private void finish(RunFinishedOutcome outcome, @Nullable JsonNode value, RunResult runResult) {
        if (hooks.failure().isPresent()) {
            fail(hooks.failure().get());
            return;
        }
        if (!run.stop().end(run.lease()::release)) {
            cancelled();
            return;
        }
        run.watch().ended(runResult);
        run.events()
                .runFinished(
                        run.threadId(), run.runId(), outcome, value, run.usage().total());
        result.complete(runResult);
    }

    /** For a hook or a store that fails before there is a run. */
    static RunResult failedBeforeItBegan(RunAgentInput input, EventEmitter events, RuntimeException cause) {
        LOG.error("Run {} on thread {} could not be started", input.runId(), input.threadId(), cause);
        ErrorCode code = Failures.code(cause, Failures.Origin.ELSEWHERE);
        String message = Failures.message(code);
        events.runError(message, code.name(), List.of());
        return new RunResult.Failed(code, message, Optional.of(cause));
    }

    private void fail(Throwable cause) {
        fail(cause, Failures.Origin.ELSEWHERE);
    }

    private void fail(Throwable cause, Failures.Origin origin) {
        LOG.error("Run {} on thread {} failed", run.runId(), run.threadId(), cause);
        if (isTakenOver(cause)) {
            fail(ErrorCode.RUN_FAILED, TAKEN_OVER, Optional.of(cause));
        } else {
            ErrorCode code = Failures.code(cause, origin);
            fail(code, Failures.message(code), Optional.of(cause));
        }
    }

    private boolean isTakenOver(Throwable cause) {
        return run.lease().isLost() || cause instanceof LeaseLostException;
    }

    private void fail(ErrorCode code, String message, Optional<Throwable> cause) {
        if (!run.stop().end(run.lease()::release)) {
            giveUpQuietly();
            run.stop().end(run.lease()::release);
        }
        RunResult failed = new RunResult.Failed(code, message, cause);
        run.watch().ended(failed);
        run.events().runError(message, code.name(), run.usage().total());
        result.complete(failed);
    }

    /** The run was cancelled too late to end so, and has failed: it still gives the turn up. */
    private void giveUpQuietly() {
        run.stop().take();
        try {
            giveUpTurn();
        } catch (Throwable e) {
            LOG.warn("Run {} on thread {} failed and could not be cancelled", run.runId(), run.threadId(), e);
        }
    }

    private ChatMemory memory() {
        return run.memory();
    }
}
