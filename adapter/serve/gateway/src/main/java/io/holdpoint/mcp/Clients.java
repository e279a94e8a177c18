package io.holdpoint.mcp;

import io.modelcontextprotocol.modern.server.feature.McpChangeFeed;
import io.modelcontextprotocol.modern.server.feature.ServerChange;
import io.modelcontextprotocol.server.McpAsyncServer;
import io.modelcontextprotocol.server.McpAsyncServerExchange;
import io.modelcontextprotocol.server.McpServer;
import io.modelcontextprotocol.server.McpServerFeatures.AsyncToolSpecification;
import io.modelcontextprotocol.spec.McpSchema.CallToolRequest;
import io.modelcontextprotocol.spec.McpSchema.CallToolResult;
import io.modelcontextprotocol.spec.McpSchema.Implementation;
import io.modelcontextprotocol.spec.McpSchema.ProgressNotification;
import io.modelcontextprotocol.spec.McpSchema.ServerCapabilities;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Mono;

/** The side of the assistants: an MCP server that has the tools of all servers behind the gateway. Thread-safe. */
final class Clients {

    private static final Logger LOG = LoggerFactory.getLogger(Clients.class);

    /** The time for which a form may be open. */
    static final Duration FORM = Duration.ofHours(1);

    static final String INSTRUCTIONS =
            "Some of these tools run only when a person has approved the call. A result that says it is held is no failure: tell the user,"
                    + " go on with something else, and call again later with the same arguments.";

    private final boolean elicit;
    private final boolean formsEndWithCalls;
    private final Function<Client, Mono<CallToolResult>> calls;
    private final McpChangeFeed changes = new McpChangeFeed();
    private final McpAsyncServer server;
    private Map<String, UpstreamTool> served;

    /**
     * Begins to serve.
     *
     * @param calls makes the calls of clients, which may end with their forms
     */
    Clients(
            McpServer.AsyncSpecification<?> sessions,
            boolean elicit,
            boolean formsEndWithCalls,
            Function<Client, Mono<CallToolResult>> calls,
            List<UpstreamTool> tools) {
        this.elicit = elicit;
        this.formsEndWithCalls = formsEndWithCalls;
        this.calls = calls;
        served = named(tools);
        List<AsyncToolSpecification> all = new ArrayList<>();
        served.forEach((name, tool) -> all.add(specification(name, tool)));
        server = start(sessions, "holdpoint-gateway", INSTRUCTIONS, true, all);
    }

    /** Starts a server of ours, whose tools may change or do not, and whose forms may be open for an hour. */
    static McpAsyncServer start(
            McpServer.AsyncSpecification<?> server,
            String name,
            String instructions,
            boolean changes,
            List<AsyncToolSpecification> tools) {
        return server.serverInfo(Implementation.builder(name, "0.1").build())
                .instructions(instructions)
                .capabilities(ServerCapabilities.builder().tools(changes).build())
                .jsonMapper(Results.mapper())
                .jsonSchemaValidator(Unchecked.SCHEMAS)
                .validateToolInputs(false)
                .strictToolNameValidation(false)
                .requestTimeout(FORM)
                .tools(tools)
                .build();
    }

    /** Tells the clients of tools that have come, gone or changed. */
    synchronized void change(List<UpstreamTool> tools) {
        Map<String, UpstreamTool> now = named(tools);
        Map<String, UpstreamTool> before = served;
        served = now;
        List<Mono<Void>> told = new ArrayList<>();
        before.keySet().stream()
                .filter(name -> !now.containsKey(name))
                .forEach(name -> told.add(server.removeTool(name)));
        now.forEach((name, tool) -> {
            if (!tool.equals(before.get(name))) {
                told.add(server.addTool(specification(name, tool)));
            }
        });
        changes.broadcast(new ServerChange.ToolsListChanged());
        told.forEach(
                change -> change.subscribe(done -> {}, e -> LOG.debug("A client was not told of changed tools", e)));
    }

    /** The names that clients see: with the server's where two servers have the same one. */
    static Map<String, UpstreamTool> named(List<UpstreamTool> tools) {
        Map<String, Integer> users = new HashMap<>();
        tools.forEach(tool -> users.merge(tool.tool().name(), 1, Integer::sum));
        // nor may a server call a tool as that of another one is called
        tools.stream()
                .filter(tool -> users.get(tool.tool().name()) > 1)
                .toList()
                .forEach(tool ->
                        users.computeIfPresent(tool.server() + "_" + tool.tool().name(), (name, count) -> count + 1));
        Map<String, UpstreamTool> named = new LinkedHashMap<>();
        for (UpstreamTool tool : tools) {
            String own = tool.tool().name();
            String name = users.get(own) == 1 ? own : tool.server() + "_" + own;
            if (named.putIfAbsent(name, tool) != null) {
                LOG.warn("Clients do not see {}: another tool is named {}, too", tool.name(), name);
            }
        }
        return named;
    }

    private AsyncToolSpecification specification(String name, UpstreamTool tool) {
        return AsyncToolSpecification.builder()
                .tool(tool.as(name))
                .callHandler((exchange, request) -> calls.apply(client(exchange, request, tool)))
                .build();
    }

    private Client client(McpAsyncServerExchange exchange, CallToolRequest request, UpstreamTool tool) {
        return new Client(
                Optional.ofNullable(exchange.getClientInfo())
                        .map(Implementation::name)
                        .orElse(""),
                exchange.transportContext(),
                exchange.sessionId(),
                request.name(),
                Optional.ofNullable(request.arguments()).orElse(Map.of()),
                tool,
                question -> elicit ? McpInbox.ask(exchange, question) : Optional.empty(),
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

    /** The same tools for clients of 2026-07-28, which open no sessions. */
    io.modelcontextprotocol.modern.server.McpServer newEra(byte[] key, String page) {
        return new NewEra(this::served, calls, elicit, page).server(key, changes);
    }

    private synchronized Map<String, UpstreamTool> served() {
        return served;
    }

    void close() {
        server.close();
    }
}
