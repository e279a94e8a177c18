package io.holdpoint.internal.aiservice;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.langchain4j.agent.tool.ToolExecutionRequest;
import dev.langchain4j.invocation.InvocationContext;
import dev.langchain4j.invocation.LangChain4jManaged;
import dev.langchain4j.service.tool.ToolExecutionResult;
import dev.langchain4j.service.tool.ToolExecutor;
import io.holdpoint.ErrorCode;
import io.holdpoint.ToolCallContext;
import io.holdpoint.ToolInterrupt;
import io.holdpoint.hook.ObservedWork;
import io.holdpoint.hook.ObservedWork.Ending;
import io.holdpoint.internal.LogText;
import io.holdpoint.internal.agent.AgentConfig;
import io.holdpoint.internal.events.Progress;
import io.holdpoint.internal.gate.Gate.Verdict;
import io.holdpoint.internal.gate.GatedTool;
import io.holdpoint.internal.gate.ModelTexts;
import io.holdpoint.internal.gate.RepeatableTool;
import io.holdpoint.internal.journal.RunWatch;
import io.holdpoint.internal.lease.Heartbeat;
import io.holdpoint.internal.lease.RunStop;
import io.holdpoint.internal.lease.RunStop.CallingThread;
import io.holdpoint.internal.question.NextStep;
import io.holdpoint.internal.question.ToolError;
import io.holdpoint.internal.turn.Failures;
import io.holdpoint.internal.turn.FinalGate;
import io.holdpoint.internal.turn.LiveBatch;
import io.holdpoint.internal.turn.Run;
import io.holdpoint.internal.turn.RunningToolCall;
import io.holdpoint.internal.turn.ToolResult;
import io.holdpoint.internal.turn.Turn;
import io.holdpoint.store.Call;
import io.holdpoint.store.Call.Question;
import io.holdpoint.store.Grant;
import io.holdpoint.store.HaltedException;
import io.holdpoint.store.StoreConflictException;
import java.io.InterruptedIOException;
import java.net.SocketTimeoutException;
import java.nio.channels.ClosedByInterruptException;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BiFunction;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Stands in front of a LangChain4j tool. The pending call of a tool marked {@code @RequiresApproval} becomes a {@code tool_call}
 * interrupt with a schema for approving, also with edits; the answer comes back as the execution of the call, or as a result
 * that says that it was not executed. This class does the last part, for one turn: it executes the call, replays its stored
 * result or gives the not-executed one, as the batch's record says. It never decides.
 *
 * <p>A call is claimed right before its body is entered and settled right after, so that it is executed at most once.
 * Exceptions of the tool go through the application's error handlers, as in any AI Service; what they make of them is the
 * call's result. Any other exception, of the store for instance, is the failure of the turn.
 */
final class ToolExecutionInterceptor implements ToolExecutor {

    private static final Logger LOG = LoggerFactory.getLogger(ToolExecutionInterceptor.class);

    /** The time that an agent in a tool has to end when it is stopped. */
    private static final Duration LAST_WORDS = Duration.ofSeconds(5);

    private final Run run;
    private final Turn turn;
    private final GatedTool gated;
    private final ToolExecutor tool;
    private final GatedToolService loop;
    private final AiServiceCall service;

    ToolExecutionInterceptor(AiServiceCall call, GatedTool gated, ToolExecutor tool, GatedToolService loop) {
        this.run = call.run;
        this.turn = call.turn;
        this.gated = gated;
        this.tool = tool;
        this.loop = loop;
        this.service = call;
    }

    @Override
    public String execute(ToolExecutionRequest request, Object memoryId) {
        InvocationContext context =
                InvocationContext.builder().chatMemoryId(memoryId).build();
        return executeWithContext(request, context).resultText();
    }

    @Override
    public ToolExecutionResult executeWithContext(ToolExecutionRequest request, InvocationContext context) {
        try (CallingThread.Scope own = run.stop.caller.own()) {
            Optional<LiveBatch> found = turn.batchOf(request);
            if (found.isEmpty()) {
                return outsideBatch(request, context);
            }
            LiveBatch batch = found.get();
            Call call = batch.call(request.id());
            Optional<ToolExecutionResult> known = turn.known(batch, call);
            if (known.isPresent()) {
                return known.get();
            }
            NextStep decision = decide(call);
            turn.enter();
            try {
                if (decision instanceof NextStep.Ask again) {
                    batch.ask(call.toolCallId(), again.question());
                    return ToolResult.WAITING;
                }
                return decision instanceof NextStep.Execute execute
                        ? run(batch, call, request, context, execute)
                        : batch.settle(call, (NextStep.Settle) decision);
            } finally {
                turn.leave();
            }
        } catch (Exception e) { // checked ones too: not every store is written in Java
            throw new Failures.TurnFailedError(e);
        }
    }

    private NextStep decide(Call call) {
        return new FinalGate(turn.gate, gated, turn.continuesItsBatch()).of(call);
    }

    private ToolExecutionResult run(
            LiveBatch batch,
            Call call,
            ToolExecutionRequest request,
            InvocationContext context,
            NextStep.Execute decision) {
        String arguments = decision.arguments();
        run.lease.requireOuter(); // before the claim, so that the call is decided as before when it goes on
        try {
            if (!batch.claim(call.toolCallId(), arguments)) {
                return ToolResult.WAITING;
            }
        } catch (StoreConflictException e) {
            return noLonger(batch, call, e);
        }
        if (!mayEnter(batch, call)) {
            return notEntered(batch, call, ModelTexts.runCancelled(call.toolName()), ModelTexts.GIVEN_UP);
        }
        RunningToolCall running = new RunningToolCall(run, turn.gate.caller, call, decision);
        ToolExecutionResult own;
        try {
            own = enter(toTool(request, decision), running, context);
        } catch (ToolInterrupt.MisuseException e) {
            ToolExecutionResult failed = ToolResult.error(ModelTexts.toolIsBroken(call.toolName()));
            batch.settle(call.toolCallId(), Call.State.FAILED, ToolResult.of(call, failed));
            throw e;
        } catch (Failures.TurnFailedError e) {
            throw e;
        } catch (Exception | Error e) {
            requireUndisturbed();
            ToolExecutionResult failed = ToolResult.storable(
                    ToolResult.error("The call of \"" + call.toolName() + "\" failed: " + e), longest());
            if (gated.asksOnFailure()) {
                return askedAboutFailure(batch, call, failed);
            }
            batch.settle(call.toolCallId(), Call.State.FAILED, ToolResult.of(call, failed));
            throw e;
        }
        Optional<BiFunction<Call, Instant, Question>> raised = running.raised();
        if (raised.isPresent()) {
            Call claimed = batch.call(call.toolCallId());
            batch.ask(call.toolCallId(), raised.get().apply(claimed, run.clock.instant()));
            return ToolResult.WAITING;
        }
        if (own.isError()) {
            requireUndisturbed();
            if (gated.asksOnFailure()) {
                return askedAboutFailure(batch, call, own);
            }
        }
        Optional<List<Grant>> approved = own.isError() || gated.rules().isEmpty()
                ? Optional.of(List.of())
                : turn.gate.later().approvedWith(batch.batch(), call, arguments);
        return batch.settle(
                call.toolCallId(),
                own.isError() ? Call.State.FAILED : Call.State.EXECUTED,
                ToolResult.ofExecuted(call, own, arguments, approved.isEmpty()),
                approved.orElse(List.of()));
    }

    /** A remembered decision may be revoked, or used up by another thread, between the gate's last look and the claim: it looks again. */
    private ToolExecutionResult noLonger(LiveBatch batch, Call call, StoreConflictException conflict) {
        if (call.grantId() != null && decide(call) instanceof NextStep.Settle refused) {
            return batch.settle(call, refused);
        }
        throw conflict;
    }

    /**
     * The run may have been stopped while the claim was stored, and a process may have stood still since the claim, which has looked for a
     * halt: it looks again if that was long ago.
     */
    private boolean mayEnter(LiveBatch batch, Call call) {
        requireUndisturbed();
        if (run.stop.isFor(RunStop.Reason.CANCELLED)) {
            return false;
        }
        Instant claimedAt =
                batch.call(call.toolCallId()).lastAttempt().orElseThrow().startedAt();
        boolean isHalted = run.stop.isFor(RunStop.Reason.HALTED);
        boolean isLate = run.clock.instant().isAfter(claimedAt.plus(Heartbeat.interval(run.config.leaseDuration)));
        try {
            run.lease.requireOuter();
            return !(isHalted || isLate) || run.lease.requireForBody();
        } catch (HaltedException e) {
            notEntered(batch, call, ModelTexts.halted(call.toolName()), ModelTexts.HALTED);
            throw e;
        }
    }

    /** A claim has no other way back than a failure. An attempt before this one may have had its effect. */
    private ToolExecutionResult notEntered(LiveBatch batch, Call call, String text, String why) {
        return batch.settle(
                call,
                call.attempts().isEmpty()
                        ? new NextStep.Settle(Call.State.FAILED, text)
                        : NextStep.notAgain(call, why));
    }

    /**
     * A tool that fails while its run is stopped may have been interrupted in its middle: its outcome is not known. The end of the run, which
     * does not wait, asks about every call that is claimed.
     */
    private void requireUndisturbed() {
        if (run.stop.isAtOnce()) {
            throw new Failures.TurnFailedError(
                    new IllegalStateException("the run was stopped while the call was claimed"));
        }
    }

    private ToolExecutionResult askedAboutFailure(LiveBatch batch, Call call, ToolExecutionResult failed) {
        Call claimed = batch.call(call.toolCallId());
        String error = ToolResult.clientText(failed);
        String arguments = NextStep.again(claimed).arguments();
        batch.ask(call.toolCallId(), ToolError.ask(claimed, arguments, error, gated, run.clock.instant()));
        return ToolResult.WAITING;
    }

    /** Calls of a guardrail's re-prompt belong to no batch, and cannot be held. */
    private ToolExecutionResult outsideBatch(ToolExecutionRequest request, InvocationContext context) {
        Verdict verdict = turn.gate.decide(request, gated);
        return switch (verdict.kind()) {
            case ALLOW ->
                gated.rules().isEmpty()
                        ? runOutsideBatch(request, verdict.arguments(), context)
                        : ToolResult.error(ModelTexts.cannotAsk(request.name())); // a rule may want a person
            case ASK -> ToolResult.error(ModelTexts.cannotAsk(request.name()));
            case REFUSE ->
                verdict.misfit()
                        .flatMap(why -> loop.misfit(request, why, service))
                        .orElseGet(() -> ToolResult.error(verdict.refusal().asProposed()));
        };
    }

    private ToolExecutionResult runOutsideBatch(
            ToolExecutionRequest request, String arguments, InvocationContext context) {
        turn.enter();
        try {
            if (!run.lease.requireForBody()) { // the store does not check it, because there is no commit
                turn.stop(false);
                return ToolResult.WAITING;
            }
            RunningToolCall running = new RunningToolCall(run, turn.gate.caller, request.id());
            return enter(toTool(request, new NextStep.Execute(arguments, false)), running, context);
        } finally {
            turn.leave();
        }
    }

    private int longest() {
        return run.limits.resultLength();
    }

    /** The request for LangChain4j: the model's own, unless a person may be shown what runs. */
    private ToolExecutionRequest toTool(ToolExecutionRequest request, NextStep.Execute decision) {
        return gated.isGuarded() || decision.edited()
                ? request.toBuilder()
                        .arguments(gated.arguments().forExecution(decision.arguments()))
                        .build()
                : request;
    }

    /** Enters the body. After it has been left, the call is over, also for threads that it has started. */
    private ToolExecutionResult enter(
            ToolExecutionRequest request, RunningToolCall running, InvocationContext context) {
        ObjectNode about = JsonNodeFactory.instance.objectNode();
        about.put("toolName", request.name()).put("toolCallId", request.id());
        Progress.Work work = run.progress.begin(request.name(), request.id(), "tool_execution", about);
        RunWatch.Part execution = run.watch.toolExecution(request.name());
        RunWatch.Scope scope = execution.enter();
        Ending how = Ending.FAILED;
        String why = "";
        try {
            InvocationContext ofTool = forTool(running, context);
            ToolExecutionResult own;
            CallingThread.Scope foreign =
                    isAgent() ? () -> {} : run.stop.caller.foreign(); // an agent in a tool is ours
            try {
                Optional<Duration> limit = gated.timeLimit();
                own = limit.isPresent() ? body(request, running, ofTool, limit.get()) : body(request, running, ofTool);
            } catch (Throwable e) {
                own = thrown(request, running, ofTool, e);
            } finally {
                foreign.close();
            }
            ToolExecutionResult result = storable(request, own);
            if (running.raised().isPresent()) {
                how = Ending.ASKING;
            } else if (result.isError()) {
                why = ToolResult.clientText(result);
            } else {
                how = Ending.EXECUTED;
            }
            return result;
        } catch (Throwable e) {
            why = Failures.code(e, Failures.Origin.ELSEWHERE).sentence();
            throw e;
        } finally {
            scope.close();
            execution.ended(how);
            if (how == Ending.FAILED) {
                work.failed(why);
            } else {
                work.ended(how.name().toLowerCase(Locale.ROOT));
            }
            running.end();
        }
    }

    /** LangChain4j writes a result when it is read: the body has run, even if that fails. */
    private ToolExecutionResult storable(ToolExecutionRequest request, ToolExecutionResult result) {
        try {
            return ToolResult.storable(result, longest());
        } catch (Throwable e) { // a class may be missing, or the memory not be large enough
            LOG.warn(
                    "The result of the tool \"{}\" cannot be written; the model is told that the call has run",
                    request.name(),
                    LogText.silent(e));
            return ToolExecutionResult.builder()
                    .result(result.result())
                    .resultText(ModelTexts.resultUnreadable(request.name()))
                    .isError(result.isError())
                    .build();
        }
    }

    /** An exception goes through the application's error handlers, unless the tool has asked something by it. */
    private ToolExecutionResult thrown(
            ToolExecutionRequest request, RunningToolCall running, InvocationContext context, Throwable e) {
        if (running.raised().isPresent()) {
            return ToolResult.WAITING;
        }
        if (e instanceof Failures.TurnFailedError ofTurn) {
            throw ofTurn;
        }
        requireNoMisuse(e);
        return isInterrupt(e) ? interrupted(request, running, context, e) : loop.failed(request, e, context);
    }

    private ToolExecutionResult body(ToolExecutionRequest request, RunningToolCall running, InvocationContext context)
            throws InterruptedException {
        try (ObservedWork.Scope scope = run.config.hooks.enter(running)) {
            ToolExecutionResult result = tool.executeWithContext(request, context);
            if (result.isError() && Thread.currentThread().isInterrupted()) {
                throw new InterruptedException(ToolResult.clientText(result));
            }
            return result;
        } catch (RuntimeException | Error e) {
            if (!Thread.currentThread().isInterrupted() || isInterrupt(e)) {
                throw e;
            }
            InterruptedException interrupted = new InterruptedException(); // the flag is gone when the next one looks
            interrupted.initCause(e);
            throw interrupted;
        }
    }

    /** Another agent works in the tool, which goes on where it was, so that nobody has to be asked whether it may. */
    private boolean isAgent() {
        return tool instanceof RepeatableTool;
    }

    /** Whoever has interrupted the body, it may have had its effect. */
    private ToolExecutionResult interrupted(
            ToolExecutionRequest request, RunningToolCall running, InvocationContext context, Throwable thrown) {
        requireUndisturbed();
        if (isAgent()) {
            running.stopsInside();
            throw new Failures.TurnFailedError(
                    new IllegalStateException("the agent in a tool was interrupted, and goes on later", thrown));
        }
        if (gated.isHarmlessTwice()) {
            return loop.failed(request, thrown, context);
        }
        return running.asksForOutcome(ModelTexts.interruptedQuestion(request.name()))
                ? ToolResult.WAITING
                : ToolResult.error(ModelTexts.interrupted(request.name()));
    }

    /** A read that has taken too long was not interrupted by anybody. */
    private static boolean isInterrupt(Throwable thrown) {
        for (Throwable cause : Failures.causes(thrown)) {
            if (cause instanceof InterruptedException
                    || cause instanceof ClosedByInterruptException
                    || cause instanceof InterruptedIOException && !(cause instanceof SocketTimeoutException)) {
                return true;
            }
        }
        return false;
    }

    /** On a thread of its own, because a body need not heed the interrupt: nobody waits for it then. */
    private ToolExecutionResult body(
            ToolExecutionRequest request, RunningToolCall running, InvocationContext context, Duration limit)
            throws Throwable {
        FutureTask<ToolExecutionResult> body = new FutureTask<>(() -> body(request, running, context));
        AgentConfig.THREADS.execute(() -> run.watch.within(body));
        try {
            return get(body, limit);
        } catch (TimeoutException e) {
            if (isAgent()) {
                return stopped(body, running);
            }
            if (!gated.isHarmlessTwice()
                    && running.asksForOutcome(ModelTexts.tookTooLongQuestion(request.name(), limit))) {
                return ToolResult.WAITING;
            }
            return ToolResult.error(ModelTexts.tookTooLong(request.name(), limit));
        } finally {
            body.cancel(!isAgent());
        }
    }

    private static ToolExecutionResult get(FutureTask<ToolExecutionResult> body, Duration limit) throws Throwable {
        try {
            return body.get(TimeUnit.NANOSECONDS.convert(limit), TimeUnit.NANOSECONDS);
        } catch (ExecutionException e) {
            throw e.getCause();
        }
    }

    /** The time of an agent in a tool is over: it asks what is to be asked of its work, or goes on in another run. */
    private static ToolExecutionResult stopped(FutureTask<ToolExecutionResult> body, RunningToolCall running)
            throws Throwable {
        running.stopsInside();
        try {
            return get(body, LAST_WORDS);
        } catch (TimeoutException e) {
            throw new Failures.TurnFailedError(
                    new Failures.TurnException(ErrorCode.RUN_TIMEOUT, "the agent in a tool does not end in time"));
        }
    }

    /** A mistake in the program is not for the model, which cannot correct it: the run fails. */
    private static void requireNoMisuse(Throwable thrown) {
        for (Throwable cause : Failures.causes(thrown)) {
            if (cause instanceof ToolInterrupt.MisuseException misuse) {
                throw misuse;
            }
        }
    }

    private InvocationContext forTool(RunningToolCall running, InvocationContext context) {
        Map<Class<? extends LangChain4jManaged>, LangChain4jManaged> managed = new HashMap<>();
        if (context.managedParameters() != null) {
            managed.putAll(context.managedParameters());
        }
        managed.put(ToolCallContext.class, running);
        return service.whole(context).toBuilder().managedParameters(managed).build();
    }
}
