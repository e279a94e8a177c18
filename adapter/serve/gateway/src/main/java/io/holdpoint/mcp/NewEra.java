package io.holdpoint.mcp;

import io.holdpoint.Caller;
import io.holdpoint.PendingInterrupt;
import io.modelcontextprotocol.modern.McpSchema;
import io.modelcontextprotocol.modern.McpSchema.CallToolOutcome;
import io.modelcontextprotocol.modern.McpSchema.ElicitFormRequest;
import io.modelcontextprotocol.modern.server.HmacRequestStateCodec;
import io.modelcontextprotocol.modern.server.McpAsyncNotifier;
import io.modelcontextprotocol.modern.server.McpAsyncResponse;
import io.modelcontextprotocol.modern.server.McpRequestContext;
import io.modelcontextprotocol.modern.server.McpServer;
import io.modelcontextprotocol.modern.server.feature.McpAsyncTool;
import io.modelcontextprotocol.modern.server.feature.McpAsyncToolRepository;
import io.modelcontextprotocol.modern.server.feature.McpChangePublisher;
import io.modelcontextprotocol.modern.server.feature.ToolsFeature;
import io.modelcontextprotocol.modern.server.feature.ToolsPage;
import io.modelcontextprotocol.spec.McpSchema.CallToolResult;
import io.modelcontextprotocol.spec.McpSchema.ElicitResult;
import java.util.Map;
import java.util.Optional;
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
 * @param served the tools that there are by now, by the names that clients see
 */
record NewEra(
        Supplier<Map<String, UpstreamTool>> served,
        Function<Client, Mono<CallToolResult>> calls,
        boolean elicit,
        String page)
        implements McpAsyncToolRepository {

    /** The name of what is asked in a result, and of its answer. */
    static final String QUESTION = "question";

    /** @param key seals the states; the nodes of a gateway have the same one */
    McpServer server(byte[] key, McpChangePublisher changes) {
        return McpServer.builder()
                .serverInfo(McpSchema.Implementation.builder("holdpoint-gateway", "0.1")
                        .build())
                .instructions(Clients.INSTRUCTIONS)
                .jsonMapper(Results.mapper())
                .feature(ToolsFeature.ofAsync(
                        this, Results.mapper(), Unchecked.SCHEMAS, 0, McpSchema.CacheScope.PRIVATE))
                .subscriptions(changes)
                .requestStateCodec(HmacRequestStateCodec.builder()
                        .key(key)
                        .ttl(Clients.FORM)
                        .principalExtractor(
                                context -> context.get(HttpDoor.PERSON) instanceof Caller person ? person.id() : "")
                        .jsonMapper(Results.mapper())
                        .build())
                .build();
    }

    @Override
    public Mono<ToolsPage> list(McpRequestContext context, String cursor) {
        return Mono.fromCallable(() -> ToolsPage.of(served.get().entrySet().stream()
                .map(each -> read(each.getValue().as(each.getKey()), McpSchema.Tool.class))
                .toList()));
    }

    /** Without the schemas of a tool, of which the SDK would refuse what a server says: see {@link Unchecked}. */
    @Override
    public Mono<McpAsyncTool> find(McpRequestContext context, String name) {
        var schemaless = McpSchema.Tool.builder(name, Map.of("type", "object")).build();
        return Mono.justOrEmpty(served.get().get(name))
                .map(tool -> McpAsyncTool.of(
                        schemaless,
                        (call, request) -> Mono.just(
                                McpAsyncResponse.streaming(notifier -> call(tool, call, request, notifier)))));
    }

    private Mono<CallToolOutcome> call(
            UpstreamTool tool,
            McpRequestContext context,
            McpSchema.CallToolRequest request,
            McpAsyncNotifier notifier) {
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
                asked.asMono(), calls.apply(client).map(result -> read(result, McpSchema.CallToolResult.class)));
    }

    private Optional<Mono<ElicitResult>> ask(
            PendingInterrupt.Approval question,
            McpSchema.ClientCapabilities can,
            McpSchema.CallToolRequest request,
            Sinks.One<CallToolOutcome> asked) {
        String state = question.id() + " " + question.fingerprint();
        boolean wasAsked = state.equals(request.requestState());
        Optional<ElicitFormRequest> form = Optional.of(question)
                .filter(any -> elicit && can.supportsElicitationForm())
                .flatMap(McpInbox::form)
                .map(shown -> new ElicitFormRequest(shown.message(), shown.requestedSchema(), null));
        var inputRequired = McpSchema.InputRequiredResult.builder().requestState(state);
        if (form.isPresent() && wasAsked && request.inputResponses() != null) {
            return Optional.ofNullable(request.inputResponses().get(QUESTION))
                    .map(answer -> Mono.just(read(answer, ElicitResult.class)));
        } else if (form.isPresent()) {
            asked.tryEmitValue(inputRequired.elicit(QUESTION, form.get()).build());
        } else if (can.supportsElicitationUrl() && page.startsWith("http") && !wasAsked) {
            asked.tryEmitValue(
                    inputRequired.elicitUrl(QUESTION, question.message(), page).build());
        }
        return Optional.empty();
    }

    /** Reads what one of the SDK's two schemas says as the other one has it. */
    private static <T> T read(Object said, Class<T> type) {
        return Results.JSON.convertValue(said, type);
    }
}
