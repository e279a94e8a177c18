package io.holdpoint.internal.aiservice;

import dev.langchain4j.agent.tool.ToolExecutionRequest;
import dev.langchain4j.invocation.InvocationContext;
import dev.langchain4j.invocation.LangChain4jManaged;
import dev.langchain4j.service.tool.ToolExecutionResult;
import dev.langchain4j.service.memory.ChatMemoryService;
import dev.langchain4j.service.tool.ToolExecutor;
import dev.langchain4j.service.tool.ToolService;
import io.holdpoint.Limits;
import io.holdpoint.ToolCallContext;
import io.holdpoint.ToolInterrupt;
import io.holdpoint.hook.ObservedWork.Ending;
import io.holdpoint.internal.Ids;
import io.holdpoint.internal.events.Progress;
import io.holdpoint.internal.gate.GatedTool;
import io.holdpoint.internal.gate.ModelTexts;
import io.holdpoint.internal.gate.Verdict;
import io.holdpoint.internal.journal.RunWatch;
import io.holdpoint.internal.question.ClientCalls;
import io.holdpoint.internal.question.Decision;
import io.holdpoint.internal.question.Restart;
import io.holdpoint.internal.question.ToolError;
import io.holdpoint.internal.turn.LiveBatch;
import io.holdpoint.internal.turn.NextStep;
import io.holdpoint.internal.turn.ResultLimit;
import io.holdpoint.internal.turn.ToolResults;
import io.holdpoint.internal.turn.Turn;
import io.holdpoint.internal.turn.TurnFailure;
import io.holdpoint.store.Call;
import io.holdpoint.store.CallResult;
import io.holdpoint.store.CallState;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Stands in front of one LangChain4j tool for one turn, and does what the batch's record says of a call: execute it,
 * replay its stored result, or answer that it was not executed. It never decides.
 *
 * <p>A call is claimed right before its body is entered and settled right after, so that it is executed at most once.
 * Exceptions of the tool go through the application's error handlers, as in any AI Service; what they make of them is the
 * call's result. Whatever else is thrown, by the store for instance, is the failure of the turn.
 */
final class ToolExecutionInterceptor implements ToolExecutor {

    private final Turn turn;
    private final GatedTool gated;
    private final ToolExecutor tool;
    private final ToolService loop;

    ToolExecutionInterceptor(Turn turn, GatedTool gated, ToolExecutor tool, ToolService loop) {
        this.loop = loop;
        this.turn = turn;
        this.gated = gated;
        this.tool = tool;
    }

    @Override
    public String execute(ToolExecutionRequest request, Object memoryId) {
        InvocationContext context =
                InvocationContext.builder().chatMemoryId(memoryId).build();
        return executeWithContext(request, context).resultText();
    }

    @Override
    public ToolExecutionResult executeWithContext(ToolExecutionRequest request, InvocationContext context) {
        try {
            return turn.batchOf(request)
                    .map(batch -> inBatch(batch, request, context))
                    .orElseGet(() -> outsideBatch(request, context));
        } catch (RuntimeException e) {
            throw new TurnFailure(e);
        }
    }

    private ToolExecutionResult inBatch(LiveBatch batch, ToolExecutionRequest request, InvocationContext context) {
        Call call = batch.call(request.id());
        CallResult stored = call.result();
        if (stored != null) {
            return ToolResults.replay(stored);
        }
        if (!batch.mayGoOn(request.id()) || ClientCalls.isLeft(call)) {
            return ToolResults.WAITING;
        }
        return new NextStep(turn.tools(), gated, turn.continuesItsBatch())
                .with(call)
                .match(
                        execute -> turn.whileRunning(() -> run(batch, call, request, context, execute)),
                        settled -> turn.whileRunning(() -> settle(batch, call, settled)));
    }

    private ToolExecutionResult settle(LiveBatch batch, Call call, Decision.Settle decision) {
        ToolResults.Told told =
                ToolResults.told(call, decision, turn.tools().gate().limits());
        batch.settle(call.toolCallId(), decision.outcome(), told.stored());
        return told.toModel();
    }

    private ToolExecutionResult run(
            LiveBatch batch,
            Call call,
            ToolExecutionRequest request,
            InvocationContext context,
            Decision.Execute decision) {
        String arguments = decision.arguments();
        if (!batch.claim(call.toolCallId(), arguments)) {
            return ToolResults.WAITING;
        }
        RunningToolCall running = new RunningToolCall(turn, call, decision, limits().resultLength());
        ToolExecutionResult own;
        try {
            own = limited(ToolResults.withContents(entered(request, arguments, running, context)));
        } catch (RuntimeException | Error e) {
            ToolExecutionResult failed =
                    limited(ToolResults.error("The call of \"" + call.toolName() + "\" failed: " + e));
            if (gated.asksOnFailure()) {
                return askedAboutFailure(batch, call, failed);
            }
            batch.settle(call.toolCallId(), CallState.FAILED, ToolResults.store(call, failed));
            throw e;
        }
        Optional<ToolInterrupt> raised = running.raised();
        if (raised.isPresent()) {
            batch.ask(call.toolCallId(), Restart.ask(batch.call(call.toolCallId()), raised.get(), turn.now()));
            return ToolResults.WAITING;
        }
        if (own.isError() && gated.asksOnFailure()) {
            return askedAboutFailure(batch, call, own);
        }
        CallState outcome = own.isError() ? CallState.FAILED : CallState.EXECUTED;
        if (decision.edited()) {
            ToolResults.Told told = ToolResults.edited(call, own, arguments);
            batch.settle(call.toolCallId(), outcome, told.stored());
            return told.toModel();
        }
        batch.settle(call.toolCallId(), outcome, ToolResults.store(call, own));
        return own;
    }

    private ToolExecutionResult askedAboutFailure(LiveBatch batch, Call call, ToolExecutionResult failed) {
        Call attempted = batch.call(call.toolCallId());
        batch.ask(
                call.toolCallId(),
                ToolError.ask(attempted, ToolResults.clientText(failed), gated.editedArgs(), turn.now()));
        return ToolResults.WAITING;
    }

    /** Calls of a guardrail's re-prompt belong to no batch: nothing can be held there. */
    private ToolExecutionResult outsideBatch(ToolExecutionRequest request, InvocationContext context) {
        Verdict verdict =
                turn.tools().gate().decide(request, gated, turn.tools().scope());
        return switch (verdict.kind()) {
            case ALLOW ->
                turn.whileRunning(() -> {
                    turn.requireLease();
                    RunningToolCall running = RunningToolCall.whereNobodyCanBeAsked(
                            turn, request.id(), Ids.message(), limits().resultLength());
                    return limited(entered(request, verdict.arguments(), running, context));
                });
            case ASK -> ToolResults.error(ModelTexts.cannotAsk(request.name()));
            case REFUSE -> ToolResults.error(verdict.refusal());
        };
    }

    private ToolExecutionResult limited(ToolExecutionResult result) {
        return ResultLimit.limited(result, limits().resultLength());
    }

    private Limits limits() {
        return turn.tools().gate().limits();
    }

    /** Nothing of the call is heard of once its body has been left, not even from threads that it has started. */
    private ToolExecutionResult entered(
            ToolExecutionRequest request, String arguments, RunningToolCall running, InvocationContext context) {
        RunWatch.Part execution = turn.watch().toolExecution(request.name());
        try {
            return turn.progress()
                    .tell(
                            request.name(),
                            running.toolCallId(),
                            "tool_execution",
                            Progress.about().put("toolName", request.name()).put("toolCallId", running.toolCallId()),
                            () -> execution.within(() -> enter(request, arguments, running, context)),
                            result -> ended(running, result, execution));
        } finally {
            running.end();
        }
    }

    private static String ended(RunningToolCall running, ToolExecutionResult result, RunWatch.Part execution) {
        if (running.raised().isPresent()) {
            execution.ended(Ending.ASKING);
            return "asking";
        }
        execution.ended(result.isError() ? Ending.FAILED : Ending.EXECUTED);
        return result.isError() ? Progress.FAILED : "executed";
    }

    private ToolExecutionResult enter(
            ToolExecutionRequest request, String arguments, RunningToolCall running, InvocationContext context) {
        return ToolService.executeWithErrorHandling(
                ToolResults.withArguments(request, gated.arguments().forExecution(arguments)),
                new Interruptible(tool, running),
                forTool(running, context),
                loop.argumentsErrorHandler(),
                loop.executionErrorHandler());
    }

    private InvocationContext forTool(RunningToolCall running, InvocationContext context) {
        Map<Class<? extends LangChain4jManaged>, LangChain4jManaged> managed = new HashMap<>();
        if (context.managedParameters() != null) {
            managed.putAll(context.managedParameters());
        }
        managed.put(ToolCallContext.class, running);
        return context.toBuilder()
                .chatMemoryId(
                        ChatMemoryService.DEFAULT.equals(context.chatMemoryId())
                                ? turn.threadId()
                                : context.chatMemoryId())
                .managedParameters(managed)
                .build();
    }

    /** A tool that has asked something has not failed: the application's error handlers do not hear of it. */
    private record Interruptible(ToolExecutor tool, RunningToolCall running) implements ToolExecutor {

        @Override
        public String execute(ToolExecutionRequest request, Object memoryId) {
            return tool.execute(request, memoryId);
        }

        @Override
        public ToolExecutionResult executeWithContext(ToolExecutionRequest request, InvocationContext context) {
            try {
                return tool.executeWithContext(request, context);
            } catch (RuntimeException | Error e) {
                if (running.raised().isPresent()) {
                    return ToolResults.WAITING;
                }
                throw e;
            }
        }
    }
}
