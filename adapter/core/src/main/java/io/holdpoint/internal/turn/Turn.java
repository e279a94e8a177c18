package io.holdpoint.internal.turn;

import dev.langchain4j.agent.tool.ToolExecutionRequest;
import dev.langchain4j.data.message.AiMessage;
import dev.langchain4j.model.chat.response.ChatResponse;
import dev.langchain4j.service.tool.ToolExecutionResult;
import io.holdpoint.ErrorCode;
import io.holdpoint.agui.Message;
import io.holdpoint.agui.ToolCall;
import io.holdpoint.internal.LogText;
import io.holdpoint.internal.gate.GatedTool;
import io.holdpoint.internal.gate.ModelTexts;
import io.holdpoint.internal.lease.RunStop.CallingThread;
import io.holdpoint.internal.memory.ChatMessageJson;
import io.holdpoint.internal.question.NextStep;
import io.holdpoint.store.Batch;
import io.holdpoint.store.Call;
import io.holdpoint.store.Commit;
import io.holdpoint.store.Store.ThreadRecord;
import io.holdpoint.store.TurnRecord;
import java.lang.reflect.Method;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One call of the AI Service, as data: the preparation of the user message, the output of the model, the batch that is being
 * worked on, and the end, of which there is one. The decorators of the AI Service share it, on any thread.
 */
public final class Turn {

    private static final Logger LOG = LoggerFactory.getLogger(Turn.class);

    private static final int MOST_USELESS = 3;

    private final Run run;
    public final TurnGate gate;
    public final ClientContext context;
    public final TurnPreparation preparation;
    public final ModelOutput output;
    private final End end;
    private final Optional<String> continued;
    /** A caller has proposed its one call. */
    public final boolean isProposal;
    /** The calls of the last message if none of them could run, and how often the model has made them in a row. */
    private List<String> useless = List.of();

    private int uselessTimes;
    private volatile Optional<LiveBatch> batch;
    private volatile Optional<ToolLoop> loop = Optional.empty();

    /**
     * With an unfinished batch the turn goes on from there, without asking the model first. With a {@code proposed} message, which no model has
     * written, it has no other one.
     */
    public Turn(
            Run run,
            TurnGate gate,
            TurnRecord turn,
            Optional<Batch> unfinished,
            Optional<AiMessage> proposed,
            ClientContext context,
            Consumer<TurnOutcome> ended) {
        this.run = run;
        this.gate = gate;
        this.isProposal = proposed.isPresent()
                || unfinished.isPresent() && unfinished.get().isProposal();
        this.context = context;
        this.preparation = new TurnPreparation(run, turn, unfinished.isPresent());
        this.end = new End(outcome -> {
            if (loop.isPresent()) {
                loop.get().ended(outcome);
            }
            ended.accept(outcome);
        });
        if (unfinished.isPresent()) {
            Batch stored = unfinished.get();
            this.output = new ModelOutput(run, Optional.of(stored.message().json()));
            this.continued = Optional.of(stored.id());
            this.batch = Optional.of(new LiveBatch(run, stored));
        } else {
            this.output = new ModelOutput(
                    run, proposed.isPresent() ? Optional.of(ChatMessageJson.write(proposed.get())) : Optional.empty());
            this.continued = Optional.empty();
            this.batch = Optional.empty();
        }
    }

    /** Before the AI Service is called: a continued turn announces the results that it already has. */
    public void begins() {
        if (batch.isPresent()) {
            batch.get().announceSettled();
        }
    }

    /** The AI Service is built around this loop. */
    public void runsIn(ToolLoop ofService) {
        loop = Optional.of(ofService);
    }

    /** The AI Service is called. */
    public void calls(Method method, boolean outputGuardrails) {
        preparation.takenBy(method);
        output.text.onlyFinal(outputGuardrails); // guardrails may change the text: only their outcome is told
    }

    // --- the batch

    /** Gates a message with tool calls and stores the verdicts before anything runs; empty if that ends the turn. */
    public Optional<AiMessage> gate(AiMessage proposed) {
        end.enter();
        try {
            preparation.requireModerated();
            TurnRecord turn = preparation.nextRound(output.last());
            ToolLoop rounds = loop.orElseThrow();
            if (turn.rounds() > rounds.maxRounds()) {
                throw new Failures.TurnException(
                        ErrorCode.TOO_MANY_ROUNDS,
                        "Exceeded " + rounds.maxRounds()
                                + " tool calling round trips (maxToolCallingRoundTrips), rounds before a hold included");
            }
            TurnGate.Gated gated = gate.batch(turn, rounds, proposed, output.text.messageId());
            preparation.continues(gated.batch().turn());
            requireProgress(gated.batch());
            return begin(gated) ? Optional.of(gated.message()) : Optional.empty();
        } finally {
            end.leave();
        }
    }

    /** Ends a turn whose model makes the same calls all the time, none of which can run: each round is paid for. */
    private void requireProgress(Batch gated) {
        Set<String> declined = Set.copyOf(gated.turn().declined());
        for (Call call : gated.calls()) {
            if (!call.state().isSettled() || declined.contains(TurnRecord.key(call))) {
                useless = List.of();
                return;
            }
        }
        List<String> keys = gated.calls().stream().map(TurnRecord::key).toList();
        uselessTimes = keys.equals(useless) ? uselessTimes + 1 : 1;
        useless = keys;
        if (uselessTimes >= MOST_USELESS) {
            throw new Failures.TurnException(
                    ErrorCode.MODEL_REPEATS_ITSELF,
                    "the model made the same tool calls " + uselessTimes + " times in a row, of which none can run");
        }
    }

    /** Gates the message of a proposal, unless an earlier run has done so; empty if that ends the turn. */
    public Optional<AiMessage> gateProposed() {
        AiMessage proposed = output.takeStored().orElseThrow();
        if (batch.isEmpty()) {
            return gate(proposed);
        }
        return asksAgain() ? Optional.empty() : Optional.of(proposed);
    }

    /** Stores and announces a gated batch; returns whether anything of it runs now. */
    private boolean begin(TurnGate.Gated gated) {
        Message.Assistant announced = output.text.endsWithToolCalls(gated.message());
        List<Message> messages = output.text.takeReasoning();
        messages.add(announced);
        boolean held = gated.batch().state() == Batch.State.OPEN;
        Commit commit = batch.isPresent() ? batch.get().finished() : Commit.empty();
        commit = commit.with(gated.batch()).append(messages).turn(gated.batch().turn());
        if (held) {
            run.journal.later(commit); // nothing of it runs, and the run ends with it
        } else {
            run.journal.commit(commit);
        }
        for (ToolCall call : announced.toolCalls()) {
            run.events.toolCall(announced.id(), call.id(), call.name(), call.arguments());
        }
        LiveBatch next = new LiveBatch(run, gated.batch());
        batch = Optional.of(next);
        if (held) {
            end.with(TurnOutcome.held(gated.batch()));
        }
        if (end.isReached()) {
            return false;
        }
        next.announceSettled();
        return true;
    }

    /**
     * Asks about attempts of unknown outcome, when the tools are known and before the stored message is handed on: a person has
     * to say what came of a tool that must no longer run twice. A tool that has gone does not run anyway. Returns whether a
     * person is asked, which ends the turn.
     */
    public boolean asksAgain() {
        end.enter();
        try {
            if (batch.isEmpty() || !batch.get().askAboutUnknownOutcomes(this::mayRunAgain)) {
                return false;
            }
            end.with(TurnOutcome.held(batch.get().batch()));
            return true;
        } finally {
            end.leave();
        }
    }

    private boolean mayRunAgain(Call call) {
        return gate.find(call.toolName())
                .map(tool -> call.proposal().idempotent() && tool.idempotent())
                .orElse(true);
    }

    /** Ends the turn before the model is asked again if the batch waits for a person or for the client. */
    public boolean pauses() {
        if (!isPaused()) {
            return false;
        }
        Batch paused = batch.orElseThrow().batch();
        boolean isHeld = paused.state() == Batch.State.OPEN;
        end.with(isHeld ? TurnOutcome.held(paused) : TurnOutcome.of(TurnOutcome.Kind.LEFT_TO_CLIENT, paused));
        return true;
    }

    /** Checks whether the batch lacks results that do not come in this run, so that it cannot enter the memory. */
    public boolean isPaused() {
        return batch.isPresent() && batch.get().isPaused();
    }

    /** The present batch, if the call belongs to it; calls of a guardrail's re-prompt belong to none. */
    public Optional<LiveBatch> batchOf(ToolExecutionRequest request) {
        return batch.isPresent() && !output.isComplete() && batch.get().has(request.id()) ? batch : Optional.empty();
    }

    /** Checks whether the present batch is the one that the turn goes on from: an earlier run may have remembered it. */
    public boolean continuesItsBatch() {
        Optional<String> present =
                batch.isPresent() ? Optional.of(batch.get().batch().id()) : Optional.empty();
        return present.equals(continued);
    }

    /** The result of a call that does not run now, as the record has it; empty if it is to be decided what becomes of the call. */
    public Optional<ToolExecutionResult> known(LiveBatch live, Call call) {
        Call.Result stored = call.result();
        if (stored != null) {
            return Optional.of(ToolResult.replay(stored));
        }
        if (!live.mayGoOn()) {
            return Optional.of(ToolResult.WAITING);
        }
        return NextStep.isLeftToClient(call) ? Optional.of(leftToClient(live, call)) : Optional.empty();
    }

    /** A call that the client executes waits for it, unless it may no longer run when it is first handed over. */
    private ToolExecutionResult leftToClient(LiveBatch live, Call call) {
        Optional<NextStep.Settle> withheld = isAnsweredNow() ? withheld(call) : Optional.empty();
        if (withheld.isEmpty()) {
            return ToolResult.WAITING;
        }
        enter();
        try {
            return live.settle(call, withheld.get());
        } finally {
            leave();
        }
    }

    /** A run that fails here would leave the call to the client all the same: the next one has brought no answer. */
    private Optional<NextStep.Settle> withheld(Call call) {
        try {
            return call.asked().isEmpty() ? notLetThrough(call) : notApproved(call);
        } catch (Exception e) { // checked ones too: not every application is written in Java
            LOG.warn(
                    "The call {} is not handed to the client: whether its approval still counts is not known",
                    call.toolCallId(),
                    LogText.silent(e));
            return Optional.of(NextStep.notExecuted(ModelTexts.notChecked(call.toolName())));
        }
    }

    /** A condition or what is remembered has let a call through that nobody was asked about, and may not do so any more. */
    private Optional<NextStep.Settle> notLetThrough(Call call) {
        Optional<GatedTool> tool = gate.find(call.toolName());
        if (tool.isEmpty() && call.grantId() != null) {
            return Optional.of(NextStep.notExecuted(ModelTexts.toolGone(call.toolName())));
        }
        return tool.filter(GatedTool::isGuarded)
                .map(guarded -> new FinalGate(gate, guarded, true).of(call))
                .flatMap(next -> next instanceof NextStep.Settle settle ? Optional.of(settle) : Optional.empty());
    }

    private Optional<NextStep.Settle> notApproved(Call call) {
        if (!FinalGate.isAsDecided(call)) {
            return Optional.of(NextStep.notExecuted(ModelTexts.decisionChanged(call.toolName())));
        }
        if (!gate.mayStillRun(call)) {
            return Optional.of(NextStep.notExecuted(ModelTexts.mayNotApprove(call.toolName())));
        }
        return gate.find(call.toolName())
                .filter(GatedTool::isGuarded)
                .flatMap(tool -> gate.denial(call, tool, call.arguments()))
                .map(denied -> NextStep.notExecuted(denied.asApproved()));
    }

    /** Checks whether this run has brought the batch's last answer, before which the client got no call of it. */
    private boolean isAnsweredNow() {
        return continuesItsBatch()
                && run.found.flatMap(ThreadRecord::batch).map(Batch::state).equals(Optional.of(Batch.State.OPEN));
    }

    /** The chat memory has the batch. */
    public void batchRemembered() {
        if (batch.isPresent()) {
            batch.get().remembered();
        }
    }

    /** The text that takes the place of the model's next answer, if too much was declined or refused. */
    public Optional<ChatResponse> endsWithText() {
        if (batch.isPresent()) {
            preparation.countDeclined(batch.get().batch());
        }
        Optional<String> text = preparation.endsWith(run.limits.declinedInARow());
        return text.isPresent() ? Optional.of(output.endsWith(text.get())) : Optional.empty();
    }

    // --- the end

    /**
     * Begins something that must not be cut off: a tool's body from its claim to its result, or a write to the memory. The end
     * of the turn waits until {@link #leave}; a turn that has ended throws.
     */
    public void enter() {
        if (run.stop.reason().isPresent()) {
            end.with(TurnOutcome.STOPPED); // the stop may not have reached this turn yet
        }
        end.enter();
    }

    public void leave() {
        end.leave();
    }

    public boolean isOver() {
        return end.isReached();
    }

    /** Runs a callback of the model: an exception is the failure of the turn; no callback runs after its end. */
    public void guarded(Runnable callback) {
        if (end.isReached()) {
            return;
        }
        CallingThread.Scope own = run.stop.caller.own();
        try {
            callback.run();
        } catch (Throwable e) {
            failed(e);
        } finally {
            own.close();
        }
    }

    /**
     * Runs what follows a final message. Output guardrails may ask the model again and wait for it, which they must not do
     * on the model's own thread.
     */
    public void afterFinalMessage(Runnable callback) {
        if (output.text.isOnlyFinal()) {
            run.execute(() -> guarded(callback));
        } else {
            callback.run();
        }
    }

    /** The AI Service is done. */
    public void completed(@Nullable Object value, String finalText) {
        if (pauses()) {
            return;
        }
        end.enter();
        try {
            Commit commit = batch.isPresent() ? batch.get().finished() : Commit.empty();
            List<Message> messages = output.text.endsWithText(finalText);
            run.journal.later(
                    commit.append(output.text.takeReasoning()).append(messages).turnFinished());
            end.with(TurnOutcome.completed(value, finalText));
        } finally {
            end.leave();
        }
    }

    public void failed(Throwable cause) {
        Throwable failure = Failures.TurnFailedError.unwrap(cause);
        end.with(TurnOutcome.failed(
                failure, output.isCauseOf(failure) ? Failures.Origin.MODEL : Failures.Origin.ELSEWHERE));
    }

    /**
     * Ends the turn from outside: the model is told to stop writing, no further tool starts, and late results do not count.
     * With {@code atOnce} the end does not wait for tools that are running.
     */
    public void stop(boolean atOnce) {
        if (atOnce) {
            end.atOnceWith(TurnOutcome.STOPPED);
        } else {
            end.with(TurnOutcome.STOPPED);
        }
        gate.stop();
        output.stream.cancel();
    }

    /**
     * The end of a turn: there is one, and it waits for the tools that are running and for what is being written, because the
     * run's right to write goes with it. Thread-safe.
     */
    static final class End {

        private final Consumer<TurnOutcome> ended;
        private Optional<TurnOutcome> outcome = Optional.empty();
        private boolean delivered;
        private int running;

        End(Consumer<TurnOutcome> ended) {
            this.ended = ended;
        }

        synchronized boolean isReached() {
            return outcome.isPresent();
        }

        /** Ends the turn, unless it has ended. If tools are running, the last of them delivers the outcome. */
        void with(TurnOutcome how) {
            synchronized (this) {
                if (outcome.isEmpty()) {
                    outcome = Optional.of(how);
                }
            }
            ready().ifPresent(ended);
        }

        /** Ends the turn without waiting for running tools, unless its outcome has been delivered. */
        void atOnceWith(TurnOutcome how) {
            TurnOutcome known;
            synchronized (this) {
                if (outcome.isEmpty()) {
                    outcome = Optional.of(how);
                }
                if (delivered) {
                    return;
                }
                delivered = true;
                known = outcome.get();
            }
            ended.accept(known);
        }

        /** Begins something that must not be cut off; throws if the turn has ended. */
        synchronized void enter() {
            if (outcome.isPresent()) {
                throw new IllegalStateException(
                        "the turn has ended; no further tool is started, and nothing is remembered");
            }
            running++;
        }

        /** Ends what {@link #enter} began; the last one delivers the outcome. */
        void leave() {
            left().ifPresent(ended);
        }

        private synchronized Optional<TurnOutcome> left() {
            running--;
            return ready();
        }

        /** The outcome: given once, when the last tool has ended. */
        private synchronized Optional<TurnOutcome> ready() {
            if (running > 0 || delivered) {
                return Optional.empty();
            }
            delivered = outcome.isPresent();
            return outcome;
        }
    }

    /**
     * The end of one call of the AI Service, with what it is the end of: the value and the text of the final message, the batch that waits for
     * a person or for the client, or the failure.
     */
    public record TurnOutcome(
            Kind kind,
            @Nullable Object value,
            String text,
            @Nullable Batch waiting,
            @Nullable Throwable failure,
            Failures.Origin origin) {

        public enum Kind {
            /** The AI Service answered with a value. */
            COMPLETED,
            /** The batch is open: a person is asked. */
            HELD,
            /** The client has calls of the batch to execute. */
            LEFT_TO_CLIENT,
            /** The turn was stopped from outside; the run knows why. */
            STOPPED,
            FAILED
        }

        static final TurnOutcome STOPPED = of(Kind.STOPPED, null);

        private static TurnOutcome of(Kind kind, @Nullable Batch waiting) {
            return new TurnOutcome(kind, null, "", waiting, null, Failures.Origin.ELSEWHERE);
        }

        static TurnOutcome held(Batch batch) {
            return of(Kind.HELD, batch);
        }

        public static TurnOutcome completed(@Nullable Object value, String text) {
            return new TurnOutcome(Kind.COMPLETED, value, text, null, null, Failures.Origin.ELSEWHERE);
        }

        static TurnOutcome failed(Throwable failure, Failures.Origin origin) {
            return new TurnOutcome(Kind.FAILED, null, "", null, failure, origin);
        }

        /** The batch of {@link Kind#HELD} and {@link Kind#LEFT_TO_CLIENT}. */
        public Batch batch() {
            return Objects.requireNonNull(waiting);
        }

        /** The cause of {@link Kind#FAILED}. */
        public Throwable cause() {
            return Objects.requireNonNull(failure);
        }
    }
}
