package io.holdpoint.mcp;

import io.holdpoint.Caller;
import io.holdpoint.PendingInterrupt.Approval;
import io.holdpoint.internal.gate.ToolArguments;
import io.modelcontextprotocol.common.McpTransportContext;
import io.modelcontextprotocol.modern.McpSchema;
import io.modelcontextprotocol.modern.McpSchema.CallToolOutcome;
import io.modelcontextprotocol.modern.McpSchema.CallToolRequest;
import io.modelcontextprotocol.modern.McpSchema.ClientCapabilities;
import io.modelcontextprotocol.modern.McpSchema.ElicitFormRequest;
import io.modelcontextprotocol.modern.server.HmacRequestStateCodec;
import io.modelcontextprotocol.modern.server.McpAsyncNotifier;
import io.modelcontextprotocol.modern.server.McpAsyncResponse;
import io.modelcontextprotocol.modern.server.McpRequestContext;
import io.modelcontextprotocol.modern.server.McpServer;
import io.modelcontextprotocol.modern.server.RequestStateCodec;
import io.modelcontextprotocol.modern.server.feature.McpAsyncTool;
import io.modelcontextprotocol.modern.server.feature.McpAsyncToolRepository;
import io.modelcontextprotocol.modern.server.feature.McpChangePublisher;
import io.modelcontextprotocol.modern.server.feature.ResourcesFeature;
import io.modelcontextprotocol.modern.server.feature.ToolsFeature;
import io.modelcontextprotocol.modern.server.feature.ToolsPage;
import io.modelcontextprotocol.spec.McpSchema.ElicitResult;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.function.Function;
import java.util.function.Supplier;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;

/**
 * Serves clients of 2026-07-28, which have no session. A held call has the result {@code input_required}: a form, if the user may decide in one,
 * or the address of the page. The client gives the same call again, with a sealed state that says which question it was asked. An answer counts
 * for that very question; whoever was asked another one is asked again. Thread-safe.
 *
 * @param tools those that there are by now, by the names that clients see
 */
record NewEra(Clients.Served of, Supplier<Map<String, UpstreamTool>> tools) implements McpAsyncToolRepository {

    /** The name of what is asked in a result, and of its answer. */
    static final String QUESTION = "question";

    /** In {@code _meta} of each request. */
    static final String VERSION = "io.modelcontextprotocol/protocolVersion";

    /**
     * Makes what seals the states, for an hour each, and the same user.
     *
     * @param secrets those that the nodes have in common, and that are too long to be guessed from what they have sealed. Where there are none, a
     *     forged state lets nobody do more: it says of which question a client has shown a form, and what the user has answered it says, too
     */
    static RequestStateCodec states(
            Set<String> secrets, Clock clock, Function<McpTransportContext, Optional<Caller>> users) {
        return HmacRequestStateCodec.builder()
                .key(ToolArguments.sha256("requestState " + new TreeSet<>(secrets))
                        .getBytes(StandardCharsets.UTF_8))
                .ttl(Clients.FORM)
                .clock(clock)
                .principalExtractor(
                        context -> users.apply(context).map(Caller::id).orElse(""))
                .jsonMapper(Results.mapper())
                .build();
    }

    McpServer server(McpChangePublisher changes) {
        McpServer.Builder server = McpServer.builder()
                .serverInfo(McpSchema.Implementation.builder(of.name(), "0.1").build())
                .instructions(of.instructions())
                .jsonMapper(Results.mapper())
                .feature(ToolsFeature.ofAsync(
                        this, Results.mapper(), Results.UNCHECKED, 0, McpSchema.CacheScope.PRIVATE))
                .subscriptions(changes)
                .requestStateCodec(of.states());
        of.card()
                .ifPresent(card -> server.feature(
                        ResourcesFeature.ofAsync(card, Results.mapper(), 0, McpSchema.CacheScope.PRIVATE)));
        return server.build();
    }

    @Override
    public Mono<ToolsPage> list(McpRequestContext context, String cursor) {
        return Mono.fromCallable(() -> ToolsPage.of(tools.get().entrySet().stream()
                .map(each -> read(each.getValue().as(each.getKey()), McpSchema.Tool.class))
                .toList()));
    }

    /** Without the schemas of a tool, of which the SDK would refuse what a server says: see {@link Results#UNCHECKED}. */
    @Override
    public Mono<McpAsyncTool> find(McpRequestContext context, String name) {
        var schemaless = McpSchema.Tool.builder(name, Map.of("type", "object")).build();
        return Mono.justOrEmpty(tools.get().get(name))
                .map(tool -> McpAsyncTool.of(
                        schemaless,
                        (call, request) -> Mono.just(
                                McpAsyncResponse.streaming(notifier -> call(tool, call, request, notifier)))));
    }

    private Mono<CallToolOutcome> call(
            UpstreamTool tool, McpRequestContext context, CallToolRequest request, McpAsyncNotifier notifier) {
        Sinks.One<CallToolOutcome> asked = Sinks.one();
        Client client = new Client(
                context.clientInfo() == null ? "" : context.clientInfo().name(),
                context.transportContext(),
                UUID.randomUUID().toString(),
                request.name(),
                Optional.ofNullable(request.arguments()).orElse(Map.of()),
                tool,
                question -> ask(question, context.clientCapabilities(), request, asked),
                true,
                (seconds, message) -> notifier.progress(seconds, null, message).subscribe());
        return Mono.firstWithSignal(
                asked.asMono(), of.calls().apply(client).map(result -> read(result, McpSchema.CallToolResult.class)));
    }

    private Optional<Mono<ElicitResult>> ask(
            Approval question, ClientCapabilities can, CallToolRequest request, Sinks.One<CallToolOutcome> asked) {
        String state = question.id() + " " + question.fingerprint();
        boolean wasAsked = state.equals(request.requestState());
        Optional<ElicitFormRequest> form = Optional.of(question)
                .filter(any -> of.elicit() && can.supportsElicitationForm())
                .flatMap(McpInbox::form)
                .map(shown -> new ElicitFormRequest(shown.message(), shown.requestedSchema(), null));
        var inputRequired = McpSchema.InputRequiredResult.builder().requestState(state);
        if (form.isPresent() && wasAsked && request.inputResponses() != null) {
            return Optional.ofNullable(request.inputResponses().get(QUESTION))
                    .map(answer -> Mono.fromCallable(() -> read(answer, ElicitResult.class)));
        } else if (form.isPresent()) {
            asked.tryEmitValue(inputRequired.elicit(QUESTION, form.get()).build());
        } else if (can.supportsElicitationUrl() && of.page().startsWith("http") && !wasAsked) {
            asked.tryEmitValue(inputRequired
                    .elicitUrl(QUESTION, question.message(), of.page())
                    .build());
        }
        return Optional.empty();
    }

    /** Reads what one of the SDK's two schemas says as the other one has it. */
    static <T> T read(Object said, Class<T> type) {
        return Results.JSON.convertValue(said, type);
    }
}
