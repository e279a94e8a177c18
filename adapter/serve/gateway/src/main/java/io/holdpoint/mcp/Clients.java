package io.holdpoint.mcp;

import io.holdpoint.PendingInterrupt;
import io.modelcontextprotocol.modern.server.McpRequestManager;
import io.modelcontextprotocol.modern.server.RequestStateCodec;
import io.modelcontextprotocol.modern.server.feature.McpChangeFeed;
import io.modelcontextprotocol.modern.server.feature.ServerChange;
import io.modelcontextprotocol.modern.server.transport.StdioMcpTransport;
import io.modelcontextprotocol.server.McpAsyncServer;
import io.modelcontextprotocol.server.McpAsyncServerExchange;
import io.modelcontextprotocol.server.McpServer;
import io.modelcontextprotocol.server.McpServerFeatures.AsyncToolSpecification;
import io.modelcontextprotocol.server.transport.StdioServerTransportProvider;
import io.modelcontextprotocol.spec.McpSchema;
import io.modelcontextprotocol.spec.McpSchema.CallToolRequest;
import io.modelcontextprotocol.spec.McpSchema.CallToolResult;
import io.modelcontextprotocol.spec.McpSchema.ElicitResult;
import io.modelcontextprotocol.spec.McpSchema.Implementation;
import io.modelcontextprotocol.spec.McpSchema.ProgressNotification;
import io.modelcontextprotocol.spec.McpSchema.ServerCapabilities;
import io.modelcontextprotocol.spec.McpStreamableServerTransportProvider;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.SequenceInputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.Disposable;
import reactor.core.Disposables;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/**
 * The side of the assistants: a server of ours for clients of either era, before 2026-07-28 and since. Its tools are those of all servers behind
 * the gateway, or those of the inbox. Thread-safe.
 */
final class Clients {

    private static final Logger LOG = LoggerFactory.getLogger(Clients.class);

    /** The time for which a form may be open. */
    static final Duration FORM = Duration.ofHours(1);

    private final Served of;
    private final boolean formsEndWithCalls;
    private final McpChangeFeed changes = new McpChangeFeed();
    private Map<String, UpstreamTool> tools;
    private Optional<McpAsyncServer> sessions = Optional.empty();
    private final Disposable.Composite ends = Disposables.composite();

    /**
     * A server of ours, as its clients see it.
     *
     * @param elicit whether the user of a client may decide, in a form
     * @param page where people decide, if not in a form
     * @param states seals what clients since 2026-07-28 give back
     * @param card what assistants show in a frame
     * @param calls makes the calls of clients
     */
    record Served(
            String name,
            String instructions,
            boolean elicit,
            String page,
            RequestStateCodec states,
            Optional<CardApp> card,
            Function<Client, Mono<CallToolResult>> calls) {}

    /**
     * Serves nobody yet.
     *
     * @param formsEndWithCalls whether a session loses the answer of a form with the call that has shown it
     */
    Clients(Served of, boolean formsEndWithCalls, List<UpstreamTool> tools) {
        this.of = of;
        this.formsEndWithCalls = formsEndWithCalls;
        this.tools = named(tools);
    }

    /** Serves clients over HTTP, and returns the server of those since 2026-07-28, which open no sessions. */
    McpRequestManager http(McpStreamableServerTransportProvider transport) {
        open(McpServer.async(transport));
        return newEra();
    }

    private McpRequestManager newEra() {
        return new NewEra(of, this::tools).server(changes);
    }

    private synchronized void open(McpServer.AsyncSpecification<?> server) {
        List<AsyncToolSpecification> all = new ArrayList<>();
        tools.forEach((name, tool) -> all.add(specification(name, tool)));
        ServerCapabilities.Builder can = ServerCapabilities.builder().tools(false);
        of.card().ifPresent(card -> {
            can.resources(false, false);
            server.resources(card.ofSession());
        });
        sessions = Optional.of(
                server.serverInfo(Implementation.builder(of.name(), "0.1").build())
                        .instructions(of.instructions())
                        .capabilities(can.build())
                        .jsonMapper(Results.mapper())
                        .jsonSchemaValidator(Results.UNCHECKED)
                        .validateToolInputs(false)
                        .strictToolNameValidation(false)
                        .requestTimeout(FORM)
                        .tools(all)
                        .build());
        sessions.ifPresent(opened -> ends.add(opened::close));
    }

    /** Serves the client at the other end of two streams. Its first message says of which era it is: a session begins with initialize. */
    void streams(InputStream input, OutputStream output) {
        Mono.fromCallable(() -> firstLine(input))
                .subscribeOn(Schedulers.boundedElastic())
                .filter(first -> !ends.isDisposed())
                .subscribe(first -> begin(first, input, output));
    }

    private static String firstLine(InputStream input) throws IOException {
        ByteArrayOutputStream line = new ByteArrayOutputStream();
        for (int next = input.read(); next >= 0 && next != '\n'; next = input.read()) {
            line.write(next);
        }
        return line.toString(StandardCharsets.UTF_8) + "\n";
    }

    private void begin(String first, InputStream rest, OutputStream output) {
        InputStream all =
                new SequenceInputStream(new ByteArrayInputStream(first.getBytes(StandardCharsets.UTF_8)), rest);
        if (first.matches("(?s).*\"method\"\\s*:\\s*\"initialize\".*") && !first.contains(NewEra.VERSION)) {
            open(McpServer.async(new StdioServerTransportProvider(Tolerant.mapper(() -> {}), all, output)));
        } else {
            StdioMcpTransport transport = new StdioMcpTransport(newEra(), Results.mapper(), all, output);
            ends.add(() -> transport.closeGracefully().subscribe());
            transport.start().subscribe();
        }
    }

    /** Tells the clients of tools that have come, gone or changed. */
    synchronized void change(List<UpstreamTool> tools) {
        Map<String, UpstreamTool> now = named(tools);
        Map<String, UpstreamTool> before = this.tools;
        this.tools = now;
        changes.broadcast(new ServerChange.ToolsListChanged());
        sessions.ifPresent(server -> {
            before.keySet().stream().filter(name -> !now.containsKey(name)).forEach(name -> server.removeTool(name)
                    .subscribe());
            now.forEach((name, tool) -> {
                if (!tool.equals(before.get(name))) {
                    server.addTool(specification(name, tool)).subscribe();
                }
            });
            server.notifyToolsListChanged()
                    .subscribeOn(Schedulers.boundedElastic()) // it waits until each client has read it
                    .subscribe(done -> {}, e -> LOG.debug("A client was not told of changed tools", e));
        });
    }

    /** The names that clients see: with the server's where two servers have the same one. */
    static Map<String, UpstreamTool> named(List<UpstreamTool> tools) {
        Map<String, Long> users =
                tools.stream().collect(Collectors.groupingBy(tool -> tool.tool().name(), Collectors.counting()));
        Map<String, UpstreamTool> named = new LinkedHashMap<>();
        // nor may a server call a tool as that of another one is called: those go first
        Comparator<UpstreamTool> sharedFirst =
                Comparator.comparing(tool -> users.get(tool.tool().name()) == 1);
        for (UpstreamTool tool : tools.stream().sorted(sharedFirst).toList()) {
            String own = tool.tool().name();
            String name = users.get(own) > 1 || named.containsKey(own) ? tool.server() + "_" + own : own;
            if (named.putIfAbsent(name, tool) != null) {
                LOG.warn("Clients do not see {}: another tool is named {}, too", tool.name(), name);
            }
        }
        return named;
    }

    private AsyncToolSpecification specification(String name, UpstreamTool tool) {
        return AsyncToolSpecification.builder()
                .tool(tool.as(name))
                .callHandler((exchange, request) -> of.calls().apply(client(exchange, request, tool)))
                .build();
    }

    private Client client(McpAsyncServerExchange exchange, CallToolRequest request, UpstreamTool tool) {
        return new Client(
                exchange.getClientInfo() == null ? "" : exchange.getClientInfo().name(),
                exchange.transportContext(),
                exchange.sessionId(),
                request.name(),
                Optional.ofNullable(request.arguments()).orElse(Map.of()),
                tool,
                question -> of.elicit() ? ask(exchange, question) : Optional.empty(),
                formsEndWithCalls,
                (seconds, message) -> {
                    if (request.progressToken() != null) {
                        exchange.progressNotification(ProgressNotification.builder(request.progressToken(), seconds)
                                        .message(message)
                                        .build())
                                .subscribe(done -> {}, e -> LOG.debug("A client was not told that it waits", e));
                    }
                });
    }

    /** Shows a call to the user of a client; empty if no form of theirs does. */
    private static Optional<Mono<ElicitResult>> ask(
            McpAsyncServerExchange exchange, PendingInterrupt.Approval question) {
        McpSchema.ClientCapabilities can = exchange.getClientCapabilities();
        return can == null || can.elicitation() == null
                ? Optional.empty()
                : McpInbox.form(question).map(exchange::createElicitation);
    }

    private synchronized Map<String, UpstreamTool> tools() {
        return tools;
    }

    void close() {
        ends.dispose();
    }
}
