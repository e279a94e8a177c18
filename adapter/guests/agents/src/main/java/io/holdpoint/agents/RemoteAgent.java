package io.holdpoint.agents;

import dev.langchain4j.agent.tool.ToolExecutionRequest;
import dev.langchain4j.agent.tool.ToolSpecification;
import dev.langchain4j.invocation.InvocationContext;
import dev.langchain4j.service.tool.ToolExecutionResult;
import dev.langchain4j.service.tool.ToolExecutor;
import dev.langchain4j.service.tool.ToolProvider;
import dev.langchain4j.service.tool.ToolProviderRequest;
import dev.langchain4j.service.tool.ToolProviderResult;
import io.holdpoint.ToolCallContext;
import io.holdpoint.ToolInterrupt;
import io.holdpoint.ToolPolicy;
import io.holdpoint.agui.client.AguiClient;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;

/**
 * Another agent, behind an AG-UI endpoint of any make, as a tool of this one:
 * {@code builder.toolProviders(RemoteAgent.of("travel", "Books trips", client))}. The model gives it a {@code task}, a text; the
 * agent's last text is the result. Each call is a thread of its own on the agent's server, whose id is derived from the call.
 *
 * <p>If the agent stops to ask, the call stops too: its interrupts are asked here, one after the other, each with its own schema
 * and expiry, and then answered there together. Our interrupt says in {@code metadata.remoteAgent} what it stands for:
 * {@code {"name":…,"interruptId":…,"reason":…,"toolCallId"?:…,"metadata"?:{…}}}. Its reason is the agent's if a tool
 * may ask with it ({@link ToolInterrupt#of}), else {@code remote:…}, such as {@code remote:tool_call}. Interrupts that a person
 * cancels stay open on the agent's server. Changes in an answer are no edits of a call here: with four eyes or several approvals of this
 * agent nobody else is asked about them. Where somebody has to be, let that agent offer no edits, or have the authorizer of this one refuse answers whose
 * payload has {@code editedArgs}.
 *
 * <p>A {@code RUN_ERROR} with a code of Holdpoint's after which the agent's work goes on fails the run, and the call is repeated as after a
 * crash. Any other {@code RUN_ERROR}, a refusal, a stream that breaks off or has more than 16 MB, and a time-out are failures of the tool; but
 * if an answer finds the agent's server away, the question is asked again. Words of the agent reach the client while it speaks as {@code CUSTOM} {@value #TEXT}: {@code {"toolCallId":…,"agent":…,"messageId"?:…,"delta":…}}, until
 * they are longer than a result may be. A {@link ToolPolicy} may gate the tool like any other. Immutable, so thread-safe: every
 * change gives another one.
 */
public final class RemoteAgent implements ToolProvider {

    /** The time that the agent may take between two questions, unless it is set. */
    public static final Duration DEFAULT_TIMEOUT = Duration.ofMinutes(10);

    /** The name of the {@code CUSTOM} event with words of the agent. */
    public static final String TEXT = "holdpoint:remote_text";

    private final ToolSpecification tool;
    private final Function<ToolCallContext, AguiClient> clients;
    private final Duration timeout;
    private final boolean hasRoutes;

    private RemoteAgent(
            ToolSpecification tool,
            Function<ToolCallContext, AguiClient> clients,
            Duration timeout,
            boolean hasRoutes) {
        this.tool = tool;
        this.clients = clients;
        this.timeout = timeout;
        this.hasRoutes = hasRoutes;
    }

    /**
     * Makes a tool of an agent.
     *
     * @param name 1 to 64 letters, digits, {@code _} and {@code -}, or it is an {@link IllegalArgumentException}
     * @param client of the agent's endpoint, with the credentials of this application
     * @return a tool with {@link #DEFAULT_TIMEOUT}
     */
    public static RemoteAgent of(String name, String description, AguiClient client) {
        Objects.requireNonNull(client, "client");
        return of(name, description, call -> client);
    }

    /**
     * Makes a tool of an agent that is asked with the credentials of each call's owner.
     *
     * @param clients gives the client for a call, each time that it is executed
     * @return a tool with {@link #DEFAULT_TIMEOUT}
     */
    public static RemoteAgent of(String name, String description, Function<ToolCallContext, AguiClient> clients) {
        ToolSpecification tool = ToolSpecification.builder()
                .name(Task.requireName(name, Task.LONGEST_NAME))
                .description(description)
                .parameters(Task.schema("All that the agent has to know. It does not see this conversation."))
                .metadata(Map.of("openWorldHint", true)) // as MCP says that nobody here vouches for the result
                .build();
        return new RemoteAgent(tool, clients, DEFAULT_TIMEOUT, false);
    }

    /**
     * Sets the time that the agent may take, from the start of a run, or from the answers, to its end or its next question. The call
     * fails then; what became of the run is not known.
     *
     * @throws IllegalArgumentException if it is not positive
     */
    public RemoteAgent timeout(Duration most) {
        if (most.isNegative() || most.isZero()) {
            throw new IllegalArgumentException("timeout: positive, not " + most);
        }
        return new RemoteAgent(tool, clients, most, hasRoutes);
    }

    /**
     * Says that the server is Holdpoint's, with its routes below the endpoint. {@code /history} is asked before a run is started, and
     * after a stream has broken off: a call that is executed again takes up its run where that is, and starts no second one.
     * {@code /cancel} is told if the call is cancelled or takes too long.
     */
    public RemoteAgent holdpointRoutes() {
        return new RemoteAgent(tool, clients, timeout, true);
    }

    /** Gives the tool, to LangChain4j. */
    @Override
    public ToolProviderResult provideTools(ToolProviderRequest request) {
        return ToolProviderResult.builder().add(tool, new Executor()).build();
    }

    private final class Executor implements ToolExecutor {

        @Override
        public String execute(ToolExecutionRequest request, Object memoryId) {
            throw new IllegalStateException("The tool \"" + tool.name()
                    + "\" is a RemoteAgent. Give it to Holdpoint.builder(...).toolProviders.");
        }

        @Override
        public ToolExecutionResult executeWithContext(ToolExecutionRequest request, InvocationContext context) {
            if (context.managedParameters() == null
                    || !(context.managedParameters().get(ToolCallContext.class) instanceof ToolCallContext call)) {
                return ToolExecutionResult.builder()
                        .resultText(execute(request, context.chatMemoryId()))
                        .build();
            }
            RemoteRun.Remote agent = new RemoteRun.Remote(tool.name(), clients.apply(call), timeout, hasRoutes);
            return ToolExecutionResult.builder()
                    .resultText(new RemoteCall(agent, call).execute(Task.of(request)))
                    .build();
        }
    }
}
