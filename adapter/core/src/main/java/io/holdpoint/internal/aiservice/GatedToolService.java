package io.holdpoint.internal.aiservice;

import static dev.langchain4j.internal.Exceptions.unwrapRuntimeException;

import dev.langchain4j.agent.tool.ToolExecutionRequest;
import dev.langchain4j.agent.tool.ToolSpecification;
import dev.langchain4j.data.message.ChatMessage;
import dev.langchain4j.data.message.UserMessage;
import dev.langchain4j.exception.ToolArgumentsException;
import dev.langchain4j.invocation.InvocationContext;
import dev.langchain4j.service.tool.ToolArgumentsErrorHandler;
import dev.langchain4j.service.tool.ToolErrorContext;
import dev.langchain4j.service.tool.ToolErrorHandlerResult;
import dev.langchain4j.service.tool.ToolExecutionErrorHandler;
import dev.langchain4j.service.tool.ToolExecutionResult;
import dev.langchain4j.service.tool.ToolExecutor;
import dev.langchain4j.service.tool.ToolServiceContext;
import io.holdpoint.internal.LogText;
import io.holdpoint.internal.gate.ClientTool;
import io.holdpoint.internal.gate.ModelTexts;
import io.holdpoint.internal.gate.PolicyReader;
import io.holdpoint.internal.gate.ToolArguments;
import io.holdpoint.internal.journal.ToolRecord;
import io.holdpoint.internal.lease.RunStop.CallingThread;
import io.holdpoint.internal.question.NextStep;
import io.holdpoint.internal.turn.LiveBatch;
import io.holdpoint.internal.turn.Turn;
import io.holdpoint.store.Call;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * LangChain4j's tool service: whatever way a tool comes in (objects, maps, providers, tool search, a
 * customizer), its executor is wrapped and the gate knows it.
 */
final class GatedToolService extends DecoratingToolService {

    private static final Logger LOG = LoggerFactory.getLogger(GatedToolService.class);

    private boolean handlesMisfits;
    private boolean handlesFailures;

    @Override
    public void tools(Collection<Object> objectsWithTools) {
        objectsWithTools.forEach(each -> tools(PolicyReader.toolsOf(each)));
    }

    /** Tools that run at the same time run for the call that has started them. */
    @Override
    public void executeToolsConcurrently(@Nullable Executor executor) {
        super.executeToolsConcurrently(executor);
        Executor threads = executor();
        super.executeToolsConcurrently(tool -> {
            AiServiceCall call = AiServiceCall.present();
            threads.execute(() -> call.within(tool));
        });
    }

    @Override
    public void executeToolsConcurrently() {
        executeToolsConcurrently(null);
    }

    @Override
    public void argumentsErrorHandler(ToolArgumentsErrorHandler handler) {
        super.argumentsErrorHandler(handler);
        handlesMisfits = handler != null;
    }

    @Override
    public void executionErrorHandler(ToolExecutionErrorHandler handler) {
        super.executionErrorHandler(handler);
        handlesFailures = handler != null;
    }

    /** Without one of the application's, tells the model the same as LangChain4j's, whose line in the log quotes arguments. */
    @Override
    public ToolExecutionErrorHandler executionErrorHandler() {
        return handlesFailures ? super.executionErrorHandler() : GatedToolService::told;
    }

    private static ToolErrorHandlerResult told(Throwable error, ToolErrorContext context) {
        ToolExecutionRequest request = context.toolExecutionRequest();
        LOG.warn(
                "Tool '{}' execution failed, of which the model is told",
                request.name(),
                LogText.silentIfQuoting(error, Stream.of(ToolArguments.parsedOrText(request.arguments()))));
        String message = error.getMessage();
        return ToolErrorHandlerResult.text(
                message == null || message.isBlank() ? error.getClass().getName() : message);
    }

    /** Refused on trial already, unless the customizer changes its mind. */
    @Override
    public void compensateOnToolErrors(boolean compensate) {
        if (compensate) {
            throw StartupCheck.compensates();
        }
    }

    @Override
    public ToolServiceContext createContext(
            InvocationContext invocationContext, UserMessage userMessage, List<ChatMessage> messages) {
        AiServiceCall call = AiServiceCall.present();
        call.invocation = call.whole(invocationContext);
        ToolServiceContext context = super.createContext(call.invocation, userMessage, asProposed(messages, call.turn));
        if (!call.turn.context.tools().isEmpty()) {
            context = withClientTools(context, call.turn);
        }
        if (context.toolExecutors().isEmpty()) {
            return context;
        }
        context = decorated(context);
        ToolRecord.ofMore(call.run.config);
        return context;
    }

    /**
     * The conversation as it was when the calls of a continued turn were proposed: LangChain4j has put the turn's message behind it, which
     * the memory has already.
     */
    private static List<ChatMessage> asProposed(List<ChatMessage> messages, Turn turn) {
        int last = messages.size() - 1;
        boolean isAgain = last > 0
                && messages.get(last) instanceof UserMessage
                && turn.preparation
                        .remembered()
                        .filter(earlier -> earlier.isIn(messages.subList(0, last)))
                        .isPresent();
        return isAgain ? List.copyOf(messages.subList(0, last)) : messages;
    }

    /** The client's tools, which the model is offered as well. A name that the server has is the server's. */
    private static ToolServiceContext withClientTools(ToolServiceContext context, Turn turn) {
        Set<String> taken = new HashSet<>(context.toolExecutors().keySet());
        List<ToolSpecification> offered = turn.context.tools().stream()
                .filter(tool -> taken.add(tool.name()) && turn.gate.canTake(tool))
                .toList();
        if (offered.isEmpty()) {
            return context;
        }
        Map<String, ToolExecutor> executors = new HashMap<>(context.toolExecutors());
        offered.forEach(tool -> executors.put(tool.name(), ClientTool.INSTANCE));
        ToolServiceContext.Builder builder = context.toolExecutors().isEmpty()
                ? ToolServiceContext.builder().returnBehaviors(Map.of())
                : context.toBuilder();
        return builder.effectiveTools(plus(context.effectiveTools(), offered))
                .availableTools(plus(context.availableTools(), offered))
                .toolExecutors(executors)
                .build();
    }

    private static <T> List<T> plus(List<T> some, List<T> others) {
        List<T> all = new ArrayList<>(some);
        all.addAll(others);
        return all;
    }

    @Override
    ToolExecutor decorated(ToolSpecification specification, ToolExecutor executor) {
        AiServiceCall call = AiServiceCall.present();
        return executor instanceof ToolExecutionInterceptor
                ? executor
                : new ToolExecutionInterceptor(call, call.turn.gate.add(specification, executor), executor, this);
    }

    /** The application's answer to a tool that does not exist; given once, at the gate, and stored. */
    ToolExecutionResult hallucinated(ToolExecutionRequest request) {
        return super.applyToolHallucinationStrategy(request);
    }

    /** The answer of the application's handler to arguments that the gate refuses; empty if there is none. */
    Optional<ToolExecutionResult> misfit(ToolExecutionRequest request, Throwable why, AiServiceCall call) {
        if (!handlesMisfits) {
            return Optional.empty();
        }
        Throwable cause = why instanceof Exception thrown ? unwrapRuntimeException(thrown) : why; // as LangChain4j does
        return Optional.of(failed(request, new ToolArgumentsException(cause), call.invocation));
    }

    /** The result that the application's handlers, or LangChain4j's, make of an exception. */
    ToolExecutionResult failed(ToolExecutionRequest request, Throwable thrown, InvocationContext context) {
        return executeWithErrorHandling(
                request, new Thrower(thrown), context, argumentsErrorHandler(), executionErrorHandler());
    }

    /** A tool that has thrown already, for LangChain4j's error handling. */
    private record Thrower(Throwable thrown) implements ToolExecutor {

        @Override
        public String execute(ToolExecutionRequest request, Object memoryId) {
            throw Thrower.<RuntimeException>unchecked(thrown);
        }

        /** Not every language checks exceptions. */
        @SuppressWarnings("unchecked")
        private static <E extends Throwable> E unchecked(Throwable thrown) throws E {
            throw (E) thrown;
        }
    }

    /** Called by LangChain4j for a call without an executor: the gate has answered it, or the tool has gone since. */
    @Override
    public ToolExecutionResult applyToolHallucinationStrategy(ToolExecutionRequest request) {
        AiServiceCall call = AiServiceCall.present();
        Optional<LiveBatch> batch = call.turn.batchOf(request);
        if (batch.isEmpty()) {
            return hallucinated(request);
        }
        call.turn.enter();
        try (CallingThread.Scope own = call.run.stop.caller.own()) {
            return answered(batch.get(), request, call.turn);
        } finally {
            call.turn.leave();
        }
    }

    private static ToolExecutionResult answered(LiveBatch batch, ToolExecutionRequest request, Turn turn) {
        Call call = batch.call(request.id());
        Optional<ToolExecutionResult> known = turn.known(batch, call);
        if (known.isPresent()) {
            return known.get();
        }
        String gone = ModelTexts.toolGone(call.toolName());
        return batch.settle(call, NextStep.withoutRunning(call, gone, ModelTexts.TOOL_GONE));
    }
}
