package io.holdpoint.internal.aiservice;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import dev.langchain4j.agent.tool.ToolExecutionRequest;
import dev.langchain4j.data.message.AiMessage;
import dev.langchain4j.data.message.ChatMessage;
import dev.langchain4j.data.message.UserMessage;
import dev.langchain4j.internal.Json;
import dev.langchain4j.invocation.InvocationContext;
import dev.langchain4j.memory.ChatMemory;
import dev.langchain4j.model.chat.ChatModel;
import dev.langchain4j.model.chat.StreamingChatModel;
import dev.langchain4j.model.chat.response.ChatResponse;
import dev.langchain4j.model.output.TokenUsage;
import dev.langchain4j.service.Result;
import dev.langchain4j.service.TokenStream;
import dev.langchain4j.service.memory.ChatMemoryService;
import dev.langchain4j.service.tool.ToolExecution;
import dev.langchain4j.service.tool.ToolExecutionResult;
import dev.langchain4j.service.tool.ToolServiceContext;
import io.holdpoint.UserTurn;
import io.holdpoint.agui.Agui;
import io.holdpoint.agui.AguiCodec;
import io.holdpoint.agui.Message;
import io.holdpoint.agui.ToolCall;
import io.holdpoint.internal.LogText;
import io.holdpoint.internal.agent.AiServiceMethod;
import io.holdpoint.internal.agent.Hooks.RunHooks;
import io.holdpoint.internal.aiservice.AiServiceFactory.Service;
import io.holdpoint.internal.events.AssistantText;
import io.holdpoint.internal.lease.RunStop.CallingThread;
import io.holdpoint.internal.turn.Failures;
import io.holdpoint.internal.turn.Run;
import io.holdpoint.internal.turn.ToolLoop;
import io.holdpoint.internal.turn.Turn;
import io.holdpoint.internal.turn.Turn.TurnOutcome;
import io.holdpoint.store.Store;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The one call of the AI Service in a turn, blocking or streaming. All turns share LangChain4j's AI Service: its decorators find the call
 * that they work for on the thread.
 */
public final class AiServiceCall implements ToolLoop {

    /** The call whose code of LangChain4j the thread is in; {@code null} outside of that. */
    static final ThreadLocal<@Nullable AiServiceCall> PRESENT = new ThreadLocal<>();

    private static final Logger LOG = LoggerFactory.getLogger(AiServiceCall.class);

    private final Service service;
    /** Takes the turn, unless that is a proposal. */
    private final Optional<AiServiceMethod> method;

    final Run run;
    final Turn turn;
    final UserTurn said;
    final TemplateEscaping text;
    final ChatMemory memory;
    /** The chat memory's id, which tools get also where the AI Service's method does not take it. */
    final Object memoryId;

    final Optional<ChatModel> chatModel;

    final Optional<StreamingChatModel> streamingChatModel;

    /** LangChain4j's own context of this call. */
    volatile InvocationContext invocation = InvocationContext.builder().build();

    final TurnListeners.CallEvents events = new TurnListeners.CallEvents();

    private AiServiceCall(
            Service service, Run run, Turn turn, ChatMemory memory, RunHooks hooks, JsonNode forwardedProps) {
        this.run = run;
        this.turn = turn;
        this.said = new UserTurn(
                run.threadId, turn.preparation.said().contents(), turn.gate.caller, forwardedProps, run.state.get());
        this.method = turn.isProposal ? Optional.empty() : Optional.of(run.config.methodOf(said));
        this.text =
                new TemplateEscaping(said, method.isPresent() && !method.get().takesContents());
        this.memory = new BatchChatMemory(memory, run, turn, text);
        this.memoryId = run.config.memories.id(run.threadId);
        this.service = service;
        this.chatModel = hooks.model(service.chatModel());
        this.streamingChatModel = hooks.model(service.streamingChatModel());
    }

    /** Makes the call, and tells the turn how it ended. */
    public static void make(
            Service service, Run run, Turn turn, ChatMemory memory, RunHooks hooks, JsonNode forwardedProps) {
        if (turn.isOver()) {
            return;
        }
        AiServiceCall outer = PRESENT.get();
        try {
            turn.begins();
            AiServiceCall call = new AiServiceCall(service, run, turn, memory, hooks, forwardedProps);
            turn.runsIn(call);
            PRESENT.set(call);
            Object value;
            try (CallingThread.Scope foreign = run.stop.caller.foreign()) {
                value = call.method.isPresent() ? call.returned(call.method.get()) : call.proposed();
            }
            call.took(value);
        } catch (GatedChatModel.HoldSignal held) {
            LOG.trace("A batch of thread {} is held", run.threadId);
        } catch (Throwable e) {
            turn.failed(e);
        } finally {
            PRESENT.set(outer);
        }
    }

    /** Asks LangChain4j's handler directly, whatever the visibility of the interface. */
    private @Nullable Object returned(AiServiceMethod method) throws Throwable {
        Method called = method.method;
        @Nullable Object[] arguments = method.arguments(said);
        turn.calls(called, service.guardrails().hasOutputGuardrails(called));
        Object returned;
        try {
            returned = service.handler().invoke(service.proxy(), called, text.hidden(called, arguments));
        } catch (IllegalArgumentException e) {
            if (service.listeners().isEmpty() || events.haveStarted()) {
                throw e;
            }
            throw new Failures.MisuseException(
                    "The messages of " + called.getName() + "() cannot be made of their templates", e);
        }
        return returned instanceof Result<?> result ? typed(result) : returned;
    }

    /**
     * Puts the call of a proposal through the gate and to LangChain4j's tools, as the loop around a model does. There is no message of a user in
     * it and no answer of a model, so neither prompts nor retrieval, guardrails, moderation and memory come into it.
     */
    private @Nullable Object proposed() {
        InvocationContext context = InvocationContext.builder()
                .invocationId(UUID.randomUUID())
                .interfaceName(run.config.serviceClass.getName())
                .chatMemoryId(memoryId)
                .invocationParameters(said.invocationParameters())
                .timestampNow()
                .build();
        UserMessage named = UserMessage.from(said.contents());
        ToolServiceContext tools = service.tools().createContext(context, named, List.of(named));
        Optional<AiMessage> message;
        try (CallingThread.Scope own = run.stop.caller.own()) {
            message = turn.gateProposed();
        }
        if (message.isPresent()) {
            ToolExecutionRequest request = message.get().toolExecutionRequests().get(0);
            service.tools().executeTool(context, tools.toolExecutors(), request, null, null);
            turn.batchRemembered(); // which is nothing for a proposal
        }
        return null;
    }

    /** Completes LangChain4j's result, which knows of the last run of a turn only, with what the earlier runs have used and done. */
    private Result<?> typed(Result<?> lastRun) {
        try (CallingThread.Scope own = run.stop.caller.own()) {
            return turn.preparation.isContinued() ? withEarlierRuns(lastRun) : lastRun;
        }
    }

    private Result<?> withEarlierRuns(Result<?> lastRun) {
        return Result.<Object>builder()
                .content(lastRun.content())
                .tokenUsage(TokenUsage.sum(turn.preparation.usedBefore(), lastRun.tokenUsage()))
                .sources(lastRun.sources())
                .finishReason(lastRun.finishReason())
                .toolExecutions(executions(lastRun.toolExecutions()))
                .intermediateResponses(lastRun.intermediateResponses())
                .finalResponse(lastRun.finalResponse())
                .build();
    }

    /** The calls of earlier messages, from the transcript, before those of the last run. */
    private List<ToolExecution> executions(List<ToolExecution> lastRun) {
        Set<String> known = new HashSet<>();
        lastRun.forEach(execution -> known.add(execution.request().id()));
        Map<String, ToolCall> calls = new LinkedHashMap<>();
        List<ToolExecution> all = new ArrayList<>();
        for (Message message :
                run.store.transcript(run.threadId, Store.Range.after(turn.preparation.userMessageId()))) {
            if (message instanceof Message.Assistant assistant) {
                assistant.toolCalls().forEach(call -> calls.put(call.id(), call));
            } else if (message instanceof Message.Tool result && !known.contains(result.toolCallId())) {
                ToolCall call = calls.get(result.toolCallId());
                if (call != null) {
                    all.add(execution(call, result));
                }
            }
        }
        all.addAll(lastRun);
        return all;
    }

    private ToolExecution execution(ToolCall call, Message.Tool result) {
        return ToolExecution.builder()
                .request(ToolExecutionRequest.builder()
                        .id(call.id())
                        .name(call.name())
                        .arguments(call.arguments())
                        .build())
                .result(ToolExecutionResult.builder()
                        .isError(result.error() != null)
                        .resultText(result.content().asText())
                        .build())
                .invocationContext(
                        InvocationContext.builder().chatMemoryId(memoryId).build())
                .build();
    }

    // --- the thread

    /** The call that LangChain4j's code on this thread works for. */
    static AiServiceCall present() {
        AiServiceCall call = PRESENT.get();
        if (call == null) {
            throw new IllegalStateException(
                    "LangChain4j asks for a part of an AI Service on a thread that works for no turn");
        }
        return call;
    }

    /** Identifies the turn that LangChain4j's code on this thread works for, the same in every run; empty if no id is its own. */
    public static Optional<String> presentTurn() {
        return Optional.<AiServiceCall>ofNullable(PRESENT.get())
                .filter(call -> !Agui.isMadeId(call.turn.preparation.userMessageId()))
                .map(call -> String.join(
                        "\n", call.run.config.name, call.run.threadId, call.turn.preparation.userMessageId()));
    }

    /** LangChain4j's code works for this call on this thread, until the scope is closed: then for that of an agent around this one. */
    CallingThread.Scope enter() {
        AiServiceCall outer = PRESENT.get();
        PRESENT.set(this);
        return () -> PRESENT.set(outer);
    }

    void moderates(List<ChatMessage> messages) {
        if (service.moderationModel().isPresent()) {
            turn.preparation.moderates(service.moderationModel().get(), messages);
        }
    }

    void within(Runnable code) {
        try (CallingThread.Scope here = enter()) {
            code.run();
        }
    }

    /**
     * LangChain4j's context of this call with what it lacks: the data of the turn, what the user typed, and the chat memory's id where
     * the method does not take it.
     */
    InvocationContext whole(InvocationContext context) {
        said.putInto(context.invocationParameters());
        InvocationContext typed = text.restored(context);
        return ChatMemoryService.DEFAULT.equals(typed.chatMemoryId())
                ? typed.toBuilder().chatMemoryId(memoryId).build()
                : typed;
    }

    // --- the loop of answers and tool calls

    @Override
    public int maxRounds() {
        return service.tools().maxToolCallingRoundTrips();
    }

    @Override
    public void ended(TurnOutcome how) {
        if (service.listeners().isPresent()) {
            service.listeners().get().ended(how, this);
        }
    }

    @Override
    public ToolExecutionResult hallucinated(ToolExecutionRequest request) {
        return service.tools().hallucinated(request);
    }

    @Override
    public Optional<ToolExecutionResult> misfit(ToolExecutionRequest request, Throwable why) {
        return service.tools().misfit(request, why, this);
    }

    // --- the end

    /** The method has returned a value, or a stream that is to be started. */
    private void took(@Nullable Object value) {
        if (turn.isOver()) {
            return;
        }
        if (!(value instanceof TokenStream stream)) {
            turn.completed(value, text(value));
            return;
        }
        AssistantText output = turn.output.text;
        stream.onPartialResponse(output::partial)
                .onPartialThinking(partial -> output.partialReasoning(partial.text()))
                .onPartialToolCall(
                        partial -> output.partialToolCall(partial.id(), partial.name(), partial.partialArguments()))
                .onCompleteResponse(this::completed)
                .onError(this::failed)
                .start();
    }

    private void completed(ChatResponse response) {
        try (CallingThread.Scope own = run.stop.caller.own()) {
            turn.completed(response, text(response));
        }
    }

    private void failed(Throwable error) {
        try (CallingThread.Scope own = run.stop.caller.own()) {
            turn.failed(error);
        }
    }

    /** A message that calls tools ends a turn only if its tools return at once; its text has been said before. */
    private static String text(ChatResponse response) {
        String text = response.aiMessage().text();
        return text == null || response.aiMessage().hasToolExecutionRequests() ? "" : text;
    }

    private String text(@Nullable Object value) {
        if (content(value) instanceof String content) {
            return content;
        }
        return turn.output.finalText().orElseGet(() -> {
            JsonNode json = json(value);
            return json == null ? "" : json.toString();
        });
    }

    /** The JSON of a returned value; {@code null} if the value is a text, or if it cannot be written. */
    public static @Nullable JsonNode json(@Nullable Object value) {
        Object content = content(value);
        if (content == null || content instanceof String || content instanceof ChatResponse) {
            return null;
        }
        try {
            return AguiCodec.mapper().valueToTree(content);
        } catch (IllegalArgumentException e) {
            LOG.debug(
                    "{} is written as LangChain4j has read it", // with dates and plain fields
                    content.getClass(),
                    LogText.silent(e));
        }
        try {
            return AguiCodec.mapper().readTree(Json.toJson(content));
        } catch (RuntimeException | JsonProcessingException e) {
            LOG.warn(
                    "The value that the AI Service returned, of {}, cannot be written as JSON; RUN_FINISHED has no result",
                    content.getClass(),
                    LogText.silent(e));
            return null;
        }
    }

    private static @Nullable Object content(@Nullable Object value) {
        Object content = value instanceof Result<?> result ? result.content() : value;
        return content instanceof AiMessage message ? message.text() : content;
    }
}
