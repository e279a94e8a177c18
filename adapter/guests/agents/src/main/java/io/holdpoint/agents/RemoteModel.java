package io.holdpoint.agents;

import com.fasterxml.jackson.databind.JsonNode;
import dev.langchain4j.agent.tool.ToolExecutionRequest;
import dev.langchain4j.agent.tool.ToolSpecification;
import dev.langchain4j.invocation.InvocationContext;
import dev.langchain4j.model.ModelProvider;
import dev.langchain4j.model.chat.Capability;
import dev.langchain4j.model.chat.ChatModel;
import dev.langchain4j.model.chat.StreamingChatModel;
import dev.langchain4j.model.chat.listener.ChatModelListener;
import dev.langchain4j.model.chat.request.ChatRequest;
import dev.langchain4j.model.chat.request.ChatRequestParameters;
import dev.langchain4j.model.chat.request.DefaultChatRequestParameters;
import dev.langchain4j.model.chat.request.json.JsonArraySchema;
import dev.langchain4j.model.chat.request.json.JsonObjectSchema;
import dev.langchain4j.model.chat.response.ChatResponse;
import dev.langchain4j.model.chat.response.CompleteToolCall;
import dev.langchain4j.model.chat.response.StreamingChatResponseHandler;
import dev.langchain4j.service.tool.ToolExecutionResult;
import dev.langchain4j.service.tool.ToolProvider;
import dev.langchain4j.service.tool.ToolProviderRequest;
import dev.langchain4j.service.tool.ToolProviderResult;
import io.holdpoint.ToolCallContext;
import io.holdpoint.agui.AguiCodec;
import io.holdpoint.agui.Interrupt;
import io.holdpoint.agui.client.AguiClient;
import io.holdpoint.internal.gate.RepeatableTool;
import io.holdpoint.store.RecordJson;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/**
 * Another agent, behind an AG-UI endpoint of any make, where an application has its model:
 * {@code builder.streamingChatModel(RemoteModel.of("office", client))}, or {@code chatModel}. Its text and its thoughts are streamed, its
 * usage is the response's, and the tools of the application are offered to it as tools of its client: what it calls is gated and executed
 * here.
 *
 * <p>If the agent stops to ask, the run of the Holdpoint agent around it stops too, and asks the same as a {@link RemoteAgent} would: the
 * model calls a tool of its own, {@code <name>_asks}, which raises the agent's interrupts one after the other. The answers go back to
 * the agent with the next request. In a plain AI Service an interrupt is an {@link IllegalStateException}.
 *
 * <p>A conversation is one thread on the agent's server. Its id, the messages of the agent and the ids of those before them are kept
 * in an attribute of the {@code AiMessage}s, so in the chat memory; without them, a new thread begins with the texts of the memory.
 * Media are refused. A run that takes longer than {@link #timeout}, or whose events have more than 16 MB, fails. Immutable, so
 * thread-safe: every change gives another one.
 */
public final class RemoteModel implements ChatModel, StreamingChatModel, ToolProvider {

    private final RemoteRun.Remote agent;
    private final ToolSpecification asks;

    private RemoteModel(RemoteRun.Remote agent) {
        this.agent = agent;
        this.asks = ToolSpecification.builder()
                .name(agent.name() + "_asks")
                .description("Asks a person what " + agent.name() + " has asked. For that agent's own use.")
                .parameters(JsonObjectSchema.builder()
                        .addProperty(
                                "interrupts",
                                JsonArraySchema.builder()
                                        .items(JsonObjectSchema.builder().build())
                                        .build())
                        .required("interrupts")
                        .build())
                .build();
    }

    /**
     * Makes a model of an agent.
     *
     * @param name of the agent, for messages: 1 to 50 letters, digits, {@code _} and {@code -}
     * @param client of the agent's endpoint, with the credentials of this application
     * @return a model with {@link RemoteAgent#DEFAULT_TIMEOUT}
     * @throws IllegalArgumentException if it cannot be the name
     */
    public static RemoteModel of(String name, AguiClient client) {
        Objects.requireNonNull(client, "client");
        Task.requireName(name, 50);
        return new RemoteModel(new RemoteRun.Remote(name, client, RemoteAgent.DEFAULT_TIMEOUT, false));
    }

    /**
     * Sets the time that the agent may take for one answer. The model call fails then.
     *
     * @throws IllegalArgumentException if it is not positive
     */
    public RemoteModel timeout(Duration most) {
        if (most.isNegative() || most.isZero()) {
            throw new IllegalArgumentException("timeout: positive, not " + most);
        }
        return new RemoteModel(new RemoteRun.Remote(agent.name(), agent.client(), most, agent.hasRoutes()));
    }

    /**
     * Says that the server is Holdpoint's, with its routes below the endpoint: a run that is cancelled here, or takes too long, is
     * cancelled there. Else it may go on.
     */
    public RemoteModel holdpointRoutes() {
        return new RemoteModel(new RemoteRun.Remote(agent.name(), agent.client(), agent.timeout(), true));
    }

    @Override
    public ChatResponse doChat(ChatRequest request) {
        return new ModelRun(agent, asks, request, Optional.empty()).answer();
    }

    @Override
    public void doChat(ChatRequest request, StreamingChatResponseHandler handler) {
        ModelRun run = new ModelRun(agent, asks, request, Optional.of(handler));
        Thread thread = new Thread(null, () -> stream(run, handler), "holdpoint-remote-" + agent.name(), 0, false);
        thread.setDaemon(true);
        thread.start();
    }

    private static void stream(ModelRun run, StreamingChatResponseHandler handler) {
        ChatResponse response;
        try {
            response = run.answer();
        } catch (RuntimeException | Error e) {
            if (!run.isCancelled()) {
                handler.onError(e);
            }
            return;
        }
        List<ToolExecutionRequest> calls = response.aiMessage().toolExecutionRequests();
        for (int i = 0; i < calls.size(); i++) {
            handler.onCompleteToolCall(new CompleteToolCall(i, calls.get(i)));
        }
        handler.onCompleteResponse(response);
    }

    /** Gives the tool by which the agent asks, to LangChain4j. A Holdpoint agent takes it with its model. */
    @Override
    public ToolProviderResult provideTools(ToolProviderRequest request) {
        return ToolProviderResult.builder().add(asks, new Asking()).build();
    }

    private final class Asking implements RepeatableTool {

        @Override
        public String execute(ToolExecutionRequest request, Object memoryId) {
            throw new IllegalStateException(
                    "The tool \"" + asks.name() + "\" is for an agent of Holdpoint: only that can ask a person.");
        }

        @Override
        public ToolExecutionResult executeWithContext(ToolExecutionRequest request, InvocationContext context) {
            if (context.managedParameters() == null
                    || !(context.managedParameters().get(ToolCallContext.class) instanceof ToolCallContext call)) {
                throw new IllegalStateException(execute(request, context.chatMemoryId()));
            }
            List<Interrupt> asked =
                    RecordJson.read(request.arguments(), ModelRun.Asked.class).interrupts();
            List<JsonNode> answers = call.answers();
            if (answers.size() < asked.size()) {
                throw call.interrupt(RemoteRun.question(agent, asked.get(answers.size()), agent + " asks: "));
            }
            return ToolExecutionResult.builder()
                    .resultText(AguiCodec.write(new ModelRun.Answered(answers)))
                    .build();
        }
    }

    @Override
    public ChatRequestParameters defaultRequestParameters() {
        return DefaultChatRequestParameters.EMPTY;
    }

    @Override
    public List<ChatModelListener> listeners() {
        return List.of();
    }

    @Override
    public ModelProvider provider() {
        return ModelProvider.OTHER;
    }

    @Override
    public Set<Capability> supportedCapabilities() {
        return Set.of();
    }
}
