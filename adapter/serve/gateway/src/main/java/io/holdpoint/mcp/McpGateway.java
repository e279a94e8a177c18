package io.holdpoint.mcp;

import dev.langchain4j.agent.tool.ToolExecutionRequest;
import dev.langchain4j.agent.tool.ToolSpecification;
import dev.langchain4j.invocation.InvocationContext;
import dev.langchain4j.model.chat.ChatModel;
import dev.langchain4j.service.tool.ToolExecutionResult;
import dev.langchain4j.service.tool.ToolExecutor;
import dev.langchain4j.service.tool.ToolProviderResult;
import io.holdpoint.ApprovalAuthorizer;
import io.holdpoint.Caller;
import io.holdpoint.Holdpoint;
import io.holdpoint.HoldpointBuilder;
import io.holdpoint.Retention;
import io.holdpoint.ToolCallContext;
import io.holdpoint.ToolInterrupt;
import io.holdpoint.ToolPolicy;
import io.holdpoint.hook.Extension;
import io.holdpoint.internal.turn.RunningToolCall;
import io.holdpoint.mcp.Clients.Served;
import io.holdpoint.store.Store;
import io.modelcontextprotocol.json.McpJsonMapper;
import io.modelcontextprotocol.modern.server.McpRequestManager;
import io.modelcontextprotocol.modern.server.RequestStateCodec;
import io.modelcontextprotocol.spec.McpClientTransport;
import io.modelcontextprotocol.spec.McpSchema.CallToolResult;
import io.modelcontextprotocol.spec.McpStreamableServerTransportProvider;
import java.io.InputStream;
import java.io.OutputStream;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.function.Predicate;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

/**
 * A gateway between assistants and MCP servers. The tools of all servers are passed on. A call that nobody has to approve is passed on
 * too; any other is proposed to an agent ({@link Holdpoint#propose}), whose gate decides: the call is stored before anything is answered,
 * people are asked as about the call of a model, and it runs once. A client that gives the same call again gets what became of it.
 *
 * <p>A tool that no policy names needs somebody, and so does one whose server says that it is destructive, whatever the policies say.
 *
 * <p>Thread-safe. No thread waits for a person.
 */
public final class McpGateway implements AutoCloseable {

    private static final String INSTRUCTIONS =
            "Some of these tools run only when a person has approved the call. A result that says it is held is no failure: tell the user,"
                    + " go on with something else, and call again later with the same arguments.";

    /** For calls of servers, of which each keeps one. */
    private static final int MOST_THREADS = 1_000;

    /** With those that wait for people: over HTTP each keeps a thread of the server, which the page needs, too. */
    private static final int MOST_PASSED = 100;

    private static final String FULL =
            MOST_PASSED + " calls wait for their servers already. The call was not made. Call again, later.";

    private final GatewayConfig config;
    private final String page;
    private final AtomicInteger passing = new AtomicInteger();
    private final Map<String, Upstream> upstreams = new LinkedHashMap<>();
    private final List<Clients> clients = new CopyOnWriteArrayList<>();
    private final Scheduler work =
            Schedulers.newBoundedElastic(MOST_THREADS, Integer.MAX_VALUE, "holdpoint-mcp", 60, true);
    private final Holdpoint agent;
    private final HeldCalls held;
    private final RequestStateCodec states;

    /** The service of an agent without a model. */
    interface NoModel {

        /** Is never called. */
        String none(String text);
    }

    /** Opens one over these transports. */
    McpGateway(
            GatewayConfig config,
            Store store,
            String page,
            Clock clock,
            Function<GatewayConfig.Server, Function<McpJsonMapper, McpClientTransport>> transports) {
        this.config = config;
        this.page = page;
        config.servers()
                .forEach((name, server) -> upstreams.put(
                        name, new Upstream(name, server.timeout(), transports.apply(server), this::toolsChanged)));
        HoldpointBuilder<NoModel> builder = Holdpoint.builder(NoModel.class)
                .chatModel(new ChatModel() {}) // which nobody asks
                .store(store)
                // clients come back as late as people do
                .retention(new Retention(Duration.ofDays(30), Duration.ofDays(30)))
                .toolProviders(request -> provided())
                .toolPolicies(policies().toArray(ToolPolicy[]::new))
                .approvalAuthorizer(new PeopleDecide())
                .with(config.tells().toArray(Extension[]::new));
        if (!config.page().people().isEmpty()) {
            builder.people(config.page()::person);
        }
        agent = builder.build();
        held = new HeldCalls(agent, config.waiting(), page, clock, work);
        states = NewEra.states(config.page().people().keySet(), clock, HttpDoor::person);
        try {
            start();
        } catch (RuntimeException e) {
            close();
            throw e;
        }
    }

    /**
     * Opens a gateway, and starts its servers.
     *
     * @param store where held calls are kept; not closed with the gateway
     * @param page the address at which people decide
     * @throws IllegalArgumentException if a server cannot be reached, or a policy does not fit its tools: then nothing stays started
     */
    public static McpGateway open(GatewayConfig config, Store store, String page) {
        return new McpGateway(config, store, page, Clock.systemUTC(), Upstream::transport);
    }

    private void start() {
        upstreams.forEach((name, upstream) -> {
            try {
                upstream.connect();
            } catch (IllegalStateException e) {
                throw new IllegalArgumentException(
                        "line " + config.servers().get(name).line() + ": " + e.getMessage()
                                + " To mend it: try the command, or the address, by itself",
                        e);
            }
        });
        for (GatewayConfig.Policy policy : config.policies()) { // a question that nobody could answer must not be asked
            config.requirePeople(List.of(policy), "the policy for \"" + policy.tools() + "\"");
            boolean mayCome = upstreams.keySet().stream()
                    .anyMatch(server -> upstreams.get(server).tools().isEmpty() && policy.mayName(server));
            if (policy.required() && !mayCome && tools().stream().noneMatch(policy::names)) {
                List<String> some =
                        tools().stream().map(UpstreamTool::name).limit(5).toList();
                throw unfitting(policy, "no tool is named \"" + policy.tools() + "\"", "name some, such as " + some);
            }
        }
        for (UpstreamTool tool : tools()) {
            List<GatewayConfig.Policy> asking = config.policies().stream()
                    .filter(policy -> policy.concerns(tool))
                    .toList();
            for (GatewayConfig.Policy policy : asking) {
                policy.missing(tool).ifPresent(named -> {
                    String arguments = "but the arguments of " + tool.name() + " are " + tool.arguments();
                    throw unfitting(policy, named + ", " + arguments, "name one of these, or other tools");
                });
            }
            config.requirePeople(asking, tool.name() + ", with all policies for it,");
        }
    }

    private static IllegalArgumentException unfitting(GatewayConfig.Policy policy, String why, String remedy) {
        return new IllegalArgumentException("line " + policy.line() + ": " + why + ". To mend it: " + remedy);
    }

    /** The agent that keeps what is held: its endpoints are where people decide. */
    public Holdpoint agent() {
        return agent;
    }

    /**
     * Serves an assistant over two streams, such as standard input and output. A form there takes no answer where the page knows its people, because
     * its user has not signed in. The first message of the assistant says which protocol it speaks.
     */
    public void serve(InputStream input, OutputStream output) {
        clients(config.elicit() && config.page().people().isEmpty(), false).streams(input, output);
    }

    /**
     * Serves assistants over HTTP. Each call has a stream of its own there, which the SDK closes with the call, and with it the forms.
     *
     * @return the server of clients of 2026-07-28, for the SDK's transport of that era
     */
    public McpRequestManager serve(McpStreamableServerTransportProvider transport) {
        return clients(config.elicit(), true).http(transport);
    }

    private synchronized Clients clients(boolean elicit, boolean formsEndWithCalls) {
        Served served =
                new Served("holdpoint-gateway", INSTRUCTIONS, elicit, page, states, Optional.empty(), this::call);
        Clients side = new Clients(served, formsEndWithCalls, tools());
        clients.add(side);
        return side;
    }

    private synchronized void toolsChanged() {
        clients.forEach(side -> side.change(tools()));
    }

    private List<UpstreamTool> tools() {
        return upstreams.values().stream()
                .flatMap(each -> each.tools().stream())
                .toList();
    }

    // --- who has to be asked

    /** Of the policies that name a tool the strictest counts. */
    private boolean needsSomebody(UpstreamTool tool) {
        return needsSomebodyAnyway(tool) || config.policies().stream().anyMatch(policy -> policy.concerns(tool));
    }

    /** Finds tools that no policy names, or whose server wants a person: no approval of them is remembered, and no link decides. */
    private boolean needsSomebodyAnyway(UpstreamTool tool) {
        return tool.wantsPerson() || config.policies().stream().noneMatch(policy -> policy.names(tool));
    }

    private List<ToolPolicy> policies() {
        List<ToolPolicy> policies = new ArrayList<>();
        policies.add(ToolPolicy.where(specified(this::needsSomebodyAnyway, true)));
        for (GatewayConfig.Policy policy : config.policies()) {
            Predicate<UpstreamTool> fits = tool -> policy.missing(tool).isEmpty();
            if (policy.required()) {
                policies.add(policy.ofFitting(ToolPolicy.where(specified(fits.and(policy::concerns), false))));
                policies.add(policy.of(ToolPolicy.where(specified(fits.negate().and(policy::concerns), true)))
                        .editable());
            }
        }
        return policies;
    }

    /** A tool that is not there any more needs somebody: {@code ifGone}, and has no arguments that fit. */
    private Predicate<ToolSpecification> specified(Predicate<UpstreamTool> which, boolean ifGone) {
        return specification -> find(specification.name()).map(which::test).orElse(ifGone);
    }

    private Optional<UpstreamTool> find(String name) {
        return tools().stream().filter(tool -> tool.name().equals(name)).findFirst();
    }

    /** Assistants propose and everybody else who gets here decides: who that is, the page knows. */
    private static final class PeopleDecide implements ApprovalAuthorizer {

        @Override
        public boolean mayDecide(Request request) {
            return mayAccess(request.caller(), request.threadId(), request.ownerId());
        }

        @Override
        public boolean mayAccess(Caller caller, String threadId, String ownerId) {
            return !caller.id().startsWith(HeldCalls.ASSISTANT);
        }
    }

    // --- calls

    private Mono<CallToolResult> call(Client client) {
        return needsSomebody(client.tool())
                ? held.call(client)
                : Mono.using(
                        passing::incrementAndGet, calls -> pass(client, calls), calls -> passing.decrementAndGet());
    }

    private Mono<CallToolResult> pass(Client client, int calls) {
        return calls > MOST_PASSED
                ? Mono.just(Results.said(FULL, true))
                : Mono.fromCallable(() -> passed(client)).subscribeOn(work);
    }

    private CallToolResult passed(Client client) {
        Optional<Store.Halt> halt = agent.halted();
        if (halt.isPresent()) {
            return Results.said("The gateway is halted: " + halt.get().reason() + " The call was not made.", true);
        }
        try {
            return call(client.tool(), client.arguments());
        } catch (OutcomeUnknownException e) {
            return Results.said(e.getMessage() + " It may have had its effect.", true);
        }
    }

    private CallToolResult call(UpstreamTool tool, Map<String, Object> arguments) {
        return upstreams.get(tool.server()).call(tool, arguments);
    }

    private ToolProviderResult provided() {
        ToolProviderResult.Builder tools = ToolProviderResult.builder();
        tools().forEach(tool -> tools.add(tool.specification(), new Body(this, tool)));
        return tools.build();
    }

    /** The body of a tool, which calls the server. */
    private record Body(McpGateway of, UpstreamTool tool) implements ToolExecutor {

        @Override
        public String execute(ToolExecutionRequest request, Object memoryId) {
            return run(request).resultText();
        }

        @Override
        public ToolExecutionResult executeWithContext(ToolExecutionRequest request, InvocationContext context) {
            try {
                return run(request);
            } catch (OutcomeUnknownException e) {
                boolean isAsked = !tool.isReadOnly()
                        && context.managedParameters() != null
                        && context.managedParameters().get(ToolCallContext.class) instanceof RunningToolCall call
                        && call.asksForOutcome(e.getMessage() + " What came of it?");
                if (isAsked) {
                    throw new ToolInterrupt.Raised();
                }
                return result(true, e.getMessage());
            }
        }

        private ToolExecutionResult run(ToolExecutionRequest request) {
            CallToolResult result = of.call(tool, Results.arguments(request.arguments()));
            return result(Boolean.TRUE.equals(result.isError()), Results.write(result));
        }

        private static ToolExecutionResult result(boolean isError, String text) {
            return ToolExecutionResult.builder()
                    .isError(isError)
                    .resultText(text)
                    .build();
        }
    }

    /** Ends the gateway and its servers. Held calls stay in the store. */
    @Override
    public void close() {
        clients.forEach(Clients::close);
        agent.close();
        work.dispose(); // so that nobody waits for a server that is being started
        upstreams.values().forEach(Upstream::close);
    }
}
