package io.holdpoint.internal.run;

import com.fasterxml.jackson.databind.JsonNode;
import io.holdpoint.ErrorCode;
import io.holdpoint.PendingInterrupt;
import io.holdpoint.RunRejectedException;
import io.holdpoint.RunResult;
import io.holdpoint.agui.Interrupt;
import io.holdpoint.agui.Message;
import io.holdpoint.agui.ResumeEntry;
import io.holdpoint.agui.RunAgentInput;
import io.holdpoint.agui.RunFinishedOutcome;
import io.holdpoint.hook.ObservedWork.Ending;
import io.holdpoint.internal.Ids;
import io.holdpoint.internal.LogText;
import io.holdpoint.internal.agent.HookFailedException;
import io.holdpoint.internal.agent.Hooks.RunHooks;
import io.holdpoint.internal.aiservice.AiServiceCall;
import io.holdpoint.internal.events.EventEmitter;
import io.holdpoint.internal.gate.ToolArguments;
import io.holdpoint.internal.input.Access;
import io.holdpoint.internal.input.Plan;
import io.holdpoint.internal.lease.RunStop;
import io.holdpoint.internal.question.NextStep;
import io.holdpoint.internal.question.OutcomeUnknown;
import io.holdpoint.internal.turn.BatchSettlement;
import io.holdpoint.internal.turn.Failures;
import io.holdpoint.internal.turn.Run;
import io.holdpoint.internal.turn.Turn;
import io.holdpoint.internal.turn.Turn.TurnOutcome;
import io.holdpoint.store.Batch;
import io.holdpoint.store.Call;
import io.holdpoint.store.Call.Answer;
import io.holdpoint.store.Call.Question;
import io.holdpoint.store.Commit;
import io.holdpoint.store.LeaseLostException;
import io.holdpoint.store.RecordJson;
import io.holdpoint.store.Store;
import io.holdpoint.store.Store.ThreadRecord;
import io.holdpoint.store.TurnRecord;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The end of a run, in each of its ways: the snapshot, the last event, the result. The lease is given back before the last
 * event, because a client that reads it may start the next run at once. Unless the lease is lost, a cancelled run gives its
 * turn up first.
 */
final class RunEnding {

    private static final Logger LOG = LoggerFactory.getLogger(RunEnding.class);
    private static final String TAKEN_OVER =
            "This run did not renew its lease in time, and another run took over the thread. Nothing further of this run"
                    + " is stored. To see the thread, send an input without messages and answers.";

    private final Run run;
    private final RunHooks hooks;
    private final ThreadView view;
    private final CompletableFuture<RunResult> result = new CompletableFuture<>();
    private List<Message> heard = List.of();
    /** The messages to show when the end is stored: of a run that was overtaken they would be a mixture of two. */
    private Optional<List<Message>> shown = Optional.empty();
    /** The run goes on with something that began in an earlier one. */
    private boolean continues;
    /** The turn of a cancelled run could not be given up. */
    private boolean leavesTurn;

    private Optional<Turn> turn = Optional.empty();

    RunEnding(Run run, RunHooks hooks) {
        this.run = run;
        this.hooks = hooks;
        this.view = new ThreadView(run);
    }

    /** Ends a run that a hook or the store has failed before it began. */
    static RunResult.Failed beforeItBegan(RunAgentInput input, EventEmitter events, Throwable cause) {
        ErrorCode code;
        String message;
        if (cause instanceof RunRejectedException rejected) {
            code = rejected.code();
            message = String.valueOf(rejected.getMessage());
        } else {
            LOG.error(
                    "Run {} on thread {} could not be started",
                    input.runId(),
                    input.threadId(),
                    forLog(cause, answers(input)));
            code = Failures.code(cause, Failures.Origin.ELSEWHERE);
            message = code.message();
        }
        events.runError(code.sentence(), code.name(), message, List.of());
        return new RunResult.Failed(code, message, Optional.of(cause));
    }

    CompletableFuture<RunResult> result() {
        return result;
    }

    /**
     * Takes note of the messages that came with the input: a snapshot has those that the run has not come to, or the client
     * would lose them. A run that continues an earlier one, or in which a call failed, ends with a snapshot in any case.
     */
    void hears(List<Message> sent, List<Message> messages, boolean continuing) {
        heard = messages;
        continues = continuing;
        view.compare(sent, heard);
    }

    /** Takes note of the turn that works now: cancelling keeps what its model has said so far. */
    void worksOn(Turn next) {
        turn = Optional.of(next);
    }

    // --- as planned

    void completed(TurnOutcome last) {
        run.events.closeAll();
        shown = view.atEnd(heard, continues);
        finish(
                Ending.COMPLETED,
                RunFinishedOutcome.success(),
                AiServiceCall.json(last.value()),
                new RunResult.Completed(last.value(), last.text()));
    }

    void held(Batch batch) {
        run.events.closeAll();
        List<Question> open = shown(Optional.of(batch));
        for (Question question : open) {
            run.progress.asked(question.interrupt());
        }
        run.events.state(run.state.get());
        shown = view.atEnd(heard, true);
        interrupted(batch, open);
    }

    void leftToClient(Batch batch) {
        run.events.closeAll();
        shown = view.atEnd(heard, continues);
        leftToClient(NextStep.leftToClient(batch).stream().map(Call::toolCallId).toList());
    }

    private void leftToClient(List<String> toolCallIds) {
        finish(
                Ending.LEFT_TO_CLIENT,
                new RunFinishedOutcome.Success(toolCallIds),
                null,
                new RunResult.LeftToClient(toolCallIds));
    }

    /**
     * Presents the thread to a client without news, or whose card is stale; one that repeats its answers gets what
     * they led to.
     */
    void unchanged(List<ResumeEntry> repeated, boolean isBefore10) {
        Optional<Batch> batch = run.thread().flatMap(ThreadRecord::batch);
        List<Question> open = shown(batch);
        run.journal.audit.presented(open);
        List<String> left = open.isEmpty() ? batch.map(NextStep::waitedFor).orElse(List.of()) : List.of();
        if (isBefore10 && !open.isEmpty()) {
            view.streamed(batch, heard);
            interrupted(batch.orElseThrow(), open);
        } else if (left.isEmpty()) {
            view.snapshot(heard);
            if (open.isEmpty()) {
                finish(
                        Ending.COMPLETED,
                        RunFinishedOutcome.success(),
                        null,
                        new RunResult.Completed(null, given(repeated)));
            } else {
                interrupted(batch.orElseThrow(), open);
            }
        } else {
            view.snapshot(heard);
            leftToClient(left);
        }
    }

    /** The final text of the turn whose answers a client repeats; empty if it has none, or is no longer kept. */
    private String given(List<ResumeEntry> repeated) {
        Optional<Batch> batch = repeated.isEmpty()
                ? Optional.empty()
                : run.store.findBatch(
                        run.threadId, Store.By.INTERRUPT, repeated.get(0).interruptId());
        if (batch.isEmpty()) {
            return "";
        }
        String answered = batch.get().turn().userMessageId();
        String text = "";
        for (Message message : run.store.transcript(run.threadId, Store.Range.after(answered))) {
            if (message instanceof Message.User) {
                break;
            } else if (message instanceof Message.Assistant assistant) {
                text = assistant.toolCalls().isEmpty() && assistant.content() != null ? assistant.content() : "";
            }
        }
        return text;
    }

    private List<Question> shown(Optional<Batch> batch) {
        return new Access(run.config).shown(run.caller, run.threadId, run.owner, batch);
    }

    private void interrupted(Batch batch, List<Question> open) {
        String message = batch.message().json();
        String said = message.contains("\"text\"") // most proposals have no words
                ? RecordJson.read(message, JsonNode.class).path("text").asText("")
                : "";
        RunFinishedOutcome.Interrupted outcome = ThreadView.outcome(open);
        List<PendingInterrupt> pending = new ArrayList<>();
        for (Interrupt interrupt : outcome.interrupts()) {
            pending.add(PendingInterrupt.of(interrupt));
        }
        finish(Ending.INTERRUPTED, outcome, null, new RunResult.Interrupted(pending, said));
    }

    private void finish(Ending how, RunFinishedOutcome outcome, @Nullable JsonNode value, RunResult runResult) {
        if (hooks.failure().isPresent()) {
            failed(hooks.failure().get());
            return;
        }
        if (how == Ending.INTERRUPTED) {
            keepSpent();
        }
        if (!run.stop.end(run::ends)) {
            cancelled();
            return;
        }
        if (shown.isPresent()) {
            run.events.messages(shown.get());
        }
        if (hooks.failure().isPresent()) {
            failed(hooks.failure().get());
            return;
        }
        run.watch.ended(how);
        run.events.runFinished(run.clientThreadId, run.runId, outcome, value, run.usage.total());
        result.complete(runResult);
    }

    // --- stopped from outside

    /** Ends a run that was stopped. Unless it was cancelled, its turn is kept and runs again like one that failed. */
    void stopped() {
        switch (run.stop.reason().orElseThrow()) {
            case CANCELLED -> cancelled();
            case TIMED_OUT -> failed(ErrorCode.RUN_TIMEOUT, Optional.empty());
            case SHUT_DOWN -> failed(ErrorCode.SHUTTING_DOWN, Optional.empty());
            case HALTED -> failed(ErrorCode.AGENT_HALTED, Optional.empty());
            case HOOK_FAILED -> failed(hooks.failure().orElseThrow());
        }
    }

    private void cancelled() {
        run.stop.take();
        try {
            giveUpTurn();
            shown = view.atEnd(heard, true);
            finish(Ending.CANCELLED, RunFinishedOutcome.cancelled(), null, new RunResult.Cancelled());
        } catch (Throwable e) {
            leavesTurn = true;
            failed(e);
        }
    }

    /** Closes everything first, so that results of calls that did not run may follow. */
    private void giveUpTurn() {
        Optional<Message.Assistant> said = turn.flatMap(stopped -> stopped.output.text.breakOff());
        List<Message> thought =
                turn.map(stopped -> stopped.output.text.takeReasoning()).orElse(List.of());
        run.events.closeAll();
        BatchSettlement.ofCancelled(run, thought, said);
    }

    // --- failed

    void refused(Plan.Rejected rejected) {
        LOG.debug("Run {} on thread {} was refused: {}", run.runId, run.threadId, rejected.code());
        failed(rejected.code(), rejected.message(), rejected.complaint(), Optional.empty());
    }

    /**
     * Ends a refused run that has started with the questions that are still open, and the complaint in them; if none is open, with a
     * message.
     */
    void asksAgain(Plan.Rejected rejected, Optional<Batch> batch, boolean isBefore10) {
        LOG.debug("Run {} on thread {} was refused: {}", run.runId, run.threadId, rejected.code());
        List<Question> open = shown(batch);
        if (isBefore10) {
            run.journal.audit.presented(open);
            view.streamed(batch, rejected.heard());
        } else {
            view.snapshot(rejected.heard());
        }
        if (!run.stop.end(run::ends)) {
            cancelled();
            return;
        }
        run.watch.failed(rejected.code());
        if (open.isEmpty()) {
            run.events.runFinished(
                    run.clientThreadId, run.runId, Ids.message(), rejected.complaint(), ThreadView.refused(rejected));
        } else {
            run.events.runFinished(run.clientThreadId, run.runId, ThreadView.outcome(open, rejected), null, List.of());
        }
        result.complete(new RunResult.Failed(rejected.code(), rejected.message(), Optional.empty()));
    }

    void failed(Throwable cause) {
        failed(cause, Failures.Origin.ELSEWHERE);
    }

    void failed(Throwable cause, Failures.Origin origin) {
        Optional<RunRejectedException> refusal = HookFailedException.refusal(cause);
        if (refusal.isPresent()) {
            String words = String.valueOf(refusal.get().getMessage());
            LOG.debug("The application refused run {} on thread {}", run.runId, run.threadId, forLog(cause));
            failed(refusal.get().code(), words, words, Optional.of(cause));
            return;
        }
        ErrorCode code = Failures.code(cause, origin);
        if (code == ErrorCode.AGENT_HALTED || code == ErrorCode.TOO_MANY_TOKENS || code == ErrorCode.TOKENS_USED_UP) {
            LOG.debug("Run {} on thread {} ends with {}", run.runId, run.threadId, code, forLog(cause));
            failed(code, Optional.of(cause));
            return;
        }
        LOG.error("Run {} on thread {} failed", run.runId, run.threadId, forLog(cause));
        if (isTakenOver(cause)) {
            failed(ErrorCode.RUN_FAILED, TAKEN_OVER, ErrorCode.RUN_FAILED.sentence(), Optional.of(cause));
        } else {
            failed(code, Optional.of(cause));
        }
    }

    /** The failure as the log may have it: what the application's hooks threw, and what quotes arguments, without its messages. */
    Throwable forLog(Throwable cause) {
        return forLog(cause, present());
    }

    private static Throwable forLog(Throwable cause, Stream<JsonNode> arguments) {
        return cause instanceof HookFailedException ? LogText.silent(cause) : LogText.silentIfQuoting(cause, arguments);
    }

    private static Stream<JsonNode> answers(RunAgentInput input) {
        return input.resume().stream().map(ResumeEntry::payload).flatMap(Stream::ofNullable);
    }

    /** The arguments of the present calls, and the answers to them. A store that fails has none. */
    private Stream<JsonNode> present() {
        try {
            return run.thread().flatMap(ThreadRecord::batch).map(Batch::calls).orElse(List.of()).stream()
                    .flatMap(RunEnding::values);
        } catch (Throwable e) { // or the run would never end
            LOG.debug("The arguments of run {} on thread {} cannot be read", run.runId, run.threadId, e);
            return Stream.empty();
        }
    }

    private static Stream<JsonNode> values(Call call) {
        Stream<JsonNode> answers = call.asked().stream()
                .flatMap(asked -> Stream.concat(asked.votes().stream(), asked.answer().stream()))
                .map(Answer::payload)
                .flatMap(Stream::ofNullable);
        return Stream.concat(
                answers, Stream.of(ToolArguments.parsedOrText(call.proposal().arguments())));
    }

    /** Tells whether a failure means that another run has the thread by now. */
    boolean isTakenOver(Throwable cause) {
        return run.lease.isLost() || cause instanceof LeaseLostException;
    }

    private void failed(ErrorCode code, Optional<Throwable> cause) {
        failed(code, code.message(), code.sentence(), cause);
    }

    private void failed(ErrorCode code, String message, String complaint, Optional<Throwable> cause) {
        if (!run.stop.end(this::giveBack)) {
            giveUpQuietly();
            run.stop.end(this::giveBack);
        }
        run.watch.failed(code);
        run.events.runError(complaint, code.name(), message, run.usage.total());
        result.complete(new RunResult.Failed(code, message, cause));
    }

    /**
     * Keeps what was decided, if that can be kept, and asks about the calls that the stop has cut off. A turn that was to be given up is
     * left to whoever takes the lease over.
     */
    private void giveBack() {
        if (leavesTurn) {
            run.lease.abandon();
            return;
        }
        try {
            if (run.stop.isAtOnce()) {
                run.thread()
                        .flatMap(ThreadRecord::batch)
                        .flatMap(batch -> OutcomeUnknown.askAbout(batch, run.clock.instant()))
                        .ifPresent(asked -> run.journal.later(Commit.of(asked)));
            }
            keepSpent();
            run.ends();
        } catch (Throwable e) {
            LOG.debug("What run {} on thread {} had to write last is not kept", run.runId, run.threadId, e);
            if (run.stop.isFor(RunStop.Reason.CANCELLED)) {
                run.lease.abandon();
            } else {
                run.givesBack();
            }
        }
    }

    /** Keeps the tokens that the turn, which goes on later, has used since they were stored. */
    private void keepSpent() {
        Optional<TurnRecord> spent = turn.isPresent() ? turn.get().preparation.spentSince() : Optional.empty();
        if (spent.isPresent()) {
            run.journal.later(Commit.empty().turn(spent.get()));
        }
    }

    /** Gives the turn up in a run that was cancelled and then failed, so that it cannot end as cancelled. */
    private void giveUpQuietly() {
        run.stop.take();
        try {
            giveUpTurn();
        } catch (Throwable e) {
            leavesTurn = true;
            LOG.warn("Run {} on thread {} failed and could not be cancelled", run.runId, run.threadId, e);
        }
    }
}
