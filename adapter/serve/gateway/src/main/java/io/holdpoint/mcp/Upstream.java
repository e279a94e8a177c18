package io.holdpoint.mcp;

import io.modelcontextprotocol.client.McpAsyncClient;
import io.modelcontextprotocol.client.McpClient;
import io.modelcontextprotocol.client.transport.HttpClientStreamableHttpTransport;
import io.modelcontextprotocol.client.transport.ServerParameters;
import io.modelcontextprotocol.json.McpJsonMapper;
import io.modelcontextprotocol.spec.McpClientTransport;
import io.modelcontextprotocol.spec.McpError;
import io.modelcontextprotocol.spec.McpSchema.CallToolRequest;
import io.modelcontextprotocol.spec.McpSchema.CallToolResult;
import io.modelcontextprotocol.spec.McpSchema.Implementation;
import io.modelcontextprotocol.spec.McpSchema.ListToolsResult;
import io.modelcontextprotocol.spec.McpSchema.Tool;
import io.modelcontextprotocol.spec.McpTransportSessionNotFoundException;
import java.net.ConnectException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;

/** A server behind the gateway. One that has died, or answers no ping after a call, is started again by the next call; others do not notice. Thread-safe. */
final class Upstream implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(Upstream.class);

    private static final Duration TO_START = Duration.ofSeconds(60);

    /** Of one that has not answered a call in time: it is slow, or there is nobody any more. */
    private static final Duration TO_PING = Duration.ofSeconds(5);

    /** Of one message. Beyond that the connection is given up. */
    static final int LONGEST_MESSAGE = 64_000_000;

    /** Of a result, pictures too: a server that sends more is told on at the call. */
    static final int LONGEST_RESULT = 8_000_000;

    /** Of one server: no assistant reads more. */
    static final int MOST_TOOLS = 1_000;

    /** On which a server names its tools, which may go on without an end. */
    private static final int MOST_PAGES = 100;

    /** Of MCP Apps, in {@code _meta}: they name documents of the server, which are not passed on. */
    private static final Set<String> FRAMES = Set.of("ui", "ui/resourceUri");

    private final String name;
    private final Duration timeout;
    private final Function<McpJsonMapper, McpClientTransport> transports;
    private final Runnable changed;

    private Optional<Connection> open = Optional.empty();
    private volatile IllegalStateException failure = new IllegalStateException();
    private volatile List<Tool> tools = List.of();
    private boolean closed;

    /** A client and what is completed when its server is gone. */
    record Connection(McpAsyncClient client, CompletableFuture<CallToolResult> gone) {

        /** Without the cause, which says of one call that it was not made, and nothing of the others. */
        private void lost(Throwable cause) {
            gone.completeExceptionally(new IllegalStateException(reason(cause)));
        }
    }

    /** @param changed is run when the server's tools have changed */
    Upstream(String name, Duration timeout, Function<McpJsonMapper, McpClientTransport> transports, Runnable changed) {
        this.name = name;
        this.timeout = timeout;
        this.transports = transports;
        this.changed = changed;
    }

    static Function<McpJsonMapper, McpClientTransport> transport(GatewayConfig.Server server) {
        if (server.url().isEmpty()) {
            List<String> command = server.command();
            ServerParameters process = ServerParameters.builder(command.get(0))
                    .args(command.subList(1, command.size()))
                    .env(server.env())
                    .build();
            return mapper -> new ServerProcess(process, mapper);
        }
        String address = server.url().get();
        return mapper -> HttpClientStreamableHttpTransport.builder(address)
                .endpoint(address)
                .jsonMapper(mapper)
                .maxResponseSize(LONGEST_MESSAGE)
                .addHttpRequestCustomizer((request, method, endpoint, body, context) ->
                        server.headers().forEach(request::header))
                .build();
    }

    /**
     * Starts the server and reads its tools, unless it is there. Whoever has waited for a start that has failed does not try again.
     *
     * @throws IllegalStateException if it cannot be reached
     */
    Connection connect() {
        IllegalStateException before = failure;
        synchronized (this) {
            if (closed || open.isEmpty() || open.get().gone().isDone()) {
                if (closed || failure != before) {
                    throw failure;
                }
                open = Optional.of(start());
            }
            return open.get();
        }
    }

    private Connection start() {
        Sinks.Many<Boolean> changes = Sinks.many().multicast().directBestEffort();
        McpClientTransport transport = transports.apply(Tolerant.mapper(() -> changes.tryEmitNext(true)));
        CompletableFuture<CallToolResult> gone =
                transport instanceof ServerProcess process ? process.ended() : new CompletableFuture<>();
        McpAsyncClient client = McpClient.async(transport)
                .clientInfo(Implementation.builder("holdpoint-gateway", "0.1").build())
                .requestTimeout(timeout.plus(TO_START)) // ours says more, and a start may take longer than a call
                .initializationTimeout(TO_START)
                .jsonSchemaValidator(Results.UNCHECKED)
                .build();
        // at the end of a session the SDK would begin another one without reading the tools
        transport.setExceptionHandler(e -> LOG.debug("The connection to a server has failed", e));
        gone.whenComplete((none, end) -> client.close());
        changes.asFlux()
                .onBackpressureLatest()
                .takeWhile(change -> !gone.isDone()) // a closed client would start the server again
                .concatMap(change -> list(client).doOnError(this::warn).onErrorComplete(), 0)
                .subscribe();
        var listed = client.initialize().then(list(client)).toFuture();
        try {
            CompletableFuture.anyOf(listed, gone).get(TO_START.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw unreachable(gone, "the gateway ends", e);
        } catch (TimeoutException | ExecutionException e) {
            String late = "it has not answered within " + TO_START.toSeconds() + " seconds";
            failure = unreachable(gone, e instanceof TimeoutException ? late : reason(e), e);
            throw failure;
        }
        return new Connection(client, gone);
    }

    private IllegalStateException unreachable(CompletableFuture<?> gone, String why, Throwable cause) {
        var thrown = new IllegalStateException("The server " + name + " cannot be reached: " + why + ".", cause);
        gone.completeExceptionally(thrown);
        return thrown;
    }

    private Mono<Void> list(McpAsyncClient client) {
        return client.listTools(null)
                .expand(page -> goesOn(page) ? client.listTools(page.nextCursor()) : Mono.empty())
                .take(MOST_PAGES)
                .collectList()
                .timeout(TO_START)
                .doOnNext(this::take)
                .then();
    }

    private void warn(Throwable cause) {
        LOG.warn("The server {} has not said what its tools are now: {}", name, reason(cause));
    }

    private static boolean goesOn(ListToolsResult page) {
        return page.nextCursor() != null && !page.nextCursor().isEmpty();
    }

    /** Of two tools with one name the first counts. */
    private void take(List<ListToolsResult> pages) {
        Map<String, Tool> named = new LinkedHashMap<>();
        pages.forEach(page -> page.tools().forEach(tool -> named.putIfAbsent(tool.name(), tool)));
        if (named.size() > MOST_TOOLS || goesOn(pages.get(pages.size() - 1))) {
            LOG.warn(
                    "The server {} has too many tools: those after the first {}, or on pages after {}, are left out",
                    name,
                    MOST_TOOLS,
                    MOST_PAGES);
        }
        List<Tool> now = named.values().stream().limit(MOST_TOOLS).toList();
        now.forEach(tool ->
                Optional.ofNullable(tool.meta()).ifPresent(meta -> meta.keySet().removeAll(FRAMES)));
        if (!now.equals(tools)) {
            tools = now;
            changed.run();
        }
    }

    /** The tools as the server has named them last. */
    List<UpstreamTool> tools() {
        return tools.stream().map(tool -> new UpstreamTool(name, tool)).toList();
    }

    /**
     * Calls a tool, once, and waits for the result. A server that cannot be reached, or refuses the call, gives a result that says so; as does one
     * that was started again and has another tool of that name now, about which people were not asked, or not as they would be.
     *
     * @throws OutcomeUnknownException if the server was told of the call, and nobody knows what has become of it
     */
    CallToolResult call(UpstreamTool asked, Map<String, Object> arguments) {
        String tool = asked.tool().name();
        Connection connection;
        try {
            connection = connect();
        } catch (IllegalStateException e) {
            return Results.said(notMade(e.getMessage(), tool), true);
        }
        if (tools().stream().noneMatch(now -> now.isAs(asked))) {
            String why = "The server " + name + " does not say of this tool what it said before.";
            return Results.said(notMade(why, tool) + " Call again: it counts as what it is now.", true);
        }
        CompletableFuture<CallToolResult> answer = connection
                .client()
                .callTool(CallToolRequest.builder(tool).arguments(arguments).build())
                .toFuture();
        try {
            Object first =
                    CompletableFuture.anyOf(answer, connection.gone()).get(timeout.toMillis(), TimeUnit.MILLISECONDS);
            return shortened((CallToolResult) first);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw unknown(tool, "the gateway was stopped", e);
        } catch (TimeoutException e) {
            Mono<Object> ping = connection.client().ping().timeout(TO_PING);
            ping.subscribe(alive -> {}, connection::lost);
            throw unknown(tool, "there was no answer within " + timeout.toSeconds() + " seconds", e);
        } catch (ExecutionException e) {
            return failed(tool, connection, e.getCause());
        }
    }

    private CallToolResult failed(String tool, Connection connection, Throwable cause) {
        if (cause instanceof McpError refused) {
            return Results.said(
                    "The server " + name + " has refused the call of \"" + tool + "\": " + refused.getMessage(), true);
        }
        if (causes(cause).anyMatch(ConnectException.class::isInstance)) {
            return Results.said(notMade("The server " + name + " cannot be reached.", tool), true);
        }
        connection.lost(cause);
        if (causes(cause).anyMatch(McpTransportSessionNotFoundException.class::isInstance)) {
            return Results.said(notMade("The server " + name + " was started again.", tool) + " Call again.", true);
        }
        throw unknown(tool, reason(cause), cause);
    }

    private OutcomeUnknownException unknown(String tool, String why, Throwable cause) {
        return new OutcomeUnknownException(
                "The server " + name + " was told to run \"" + tool + "\", and has not said what came of it: " + why
                        + ".",
                cause);
    }

    private CallToolResult shortened(CallToolResult result) {
        int length = Results.write(result).length();
        String text = "The call has run. The server " + name + " has answered with " + length
                + " characters, of which at most " + LONGEST_RESULT + " are passed on, so its result is left out.";
        return length <= LONGEST_RESULT ? result : Results.said(text, Boolean.TRUE.equals(result.isError()));
    }

    private static String notMade(String why, String tool) {
        return why + " The call of \"" + tool + "\" was not made.";
    }

    /** The words of the innermost cause. */
    private static String reason(Throwable thrown) {
        Throwable cause = causes(thrown).reduce((outer, inner) -> inner).orElse(thrown);
        return Objects.requireNonNullElse(
                cause.getMessage(), "there was no answer (" + cause.getClass().getSimpleName() + ")");
    }

    private static Stream<Throwable> causes(Throwable thrown) {
        return Stream.iterate(thrown, Objects::nonNull, Throwable::getCause).limit(10);
    }

    /** One that does not end keeps no other from ending. */
    @Override
    public synchronized void close() {
        closed = true;
        failure = new IllegalStateException("The server " + name + " is not used any more: the gateway ends.");
        open.ifPresent(connection -> {
            connection.lost(failure);
            connection
                    .client()
                    .closeGracefully()
                    .timeout(TO_PING)
                    .onErrorComplete()
                    .block();
        });
    }
}
