package io.holdpoint.mcp;

import io.modelcontextprotocol.server.McpAsyncServer;
import io.modelcontextprotocol.server.McpAsyncServerExchange;
import io.modelcontextprotocol.server.McpServer;
import io.modelcontextprotocol.server.McpServerFeatures.AsyncToolSpecification;
import io.modelcontextprotocol.spec.McpSchema.CallToolRequest;
import io.modelcontextprotocol.spec.McpSchema.CallToolResult;
import io.modelcontextprotocol.spec.McpSchema.Implementation;
import io.modelcontextprotocol.spec.McpSchema.ServerCapabilities;
import io.modelcontextprotocol.spec.McpSchema.Tool;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Mono;

/** The side of the assistants: an MCP server that has the tools of all servers behind the gateway. Thread-safe. */
final class Clients {

    private static final Logger LOG = LoggerFactory.getLogger(Clients.class);

    /** The time for which a form may be open. */
    private static final Duration FORM = Duration.ofHours(1);

    private static final String INSTRUCTIONS =
            "Some of these tools run only when a person has approved the call. A result that says it is held is no failure: tell the user,"
                    + " go on with something else, and call again later with the same arguments.";

    private final McpServer.AsyncSpecification<?> specification;
    private final Calls calls;
    private Optional<McpAsyncServer> server = Optional.empty();
    private Map<String, UpstreamTool> served = Map.of();

    /** Makes the calls of clients. */
    interface Calls {
        Mono<CallToolResult> call(McpAsyncServerExchange exchange, CallToolRequest request, UpstreamTool tool);
    }

    Clients(McpServer.AsyncSpecification<?> specification, Calls calls) {
        this.specification = specification;
        this.calls = calls;
    }

    /** Begins to serve. */
    synchronized void serve(List<UpstreamTool> tools) {
        served = named(tools);
        List<AsyncToolSpecification> all = new ArrayList<>();
        served.forEach((name, tool) -> all.add(specification(name, tool)));
        server = Optional.of(start(specification, "holdpoint-gateway", INSTRUCTIONS, true, all));
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
        if (server.isEmpty()) {
            return;
        }
        Map<String, UpstreamTool> now = named(tools);
        Map<String, UpstreamTool> before = served;
        served = now;
        List<Mono<Void>> changes = new ArrayList<>();
        before.keySet().stream()
                .filter(name -> !now.containsKey(name))
                .forEach(name -> changes.add(server.get().removeTool(name)));
        now.forEach((name, tool) -> {
            if (!tool.equals(before.get(name))) {
                changes.add(server.get().addTool(specification(name, tool)));
            }
        });
        changes.forEach(
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
        Tool own = tool.tool();
        Tool shown = new Tool(
                name,
                own.title(),
                own.description(),
                own.inputSchema(),
                own.outputSchema(),
                own.annotations(),
                own.meta(),
                own.icons());
        return AsyncToolSpecification.builder()
                .tool(shown)
                .callHandler((exchange, request) -> calls.call(exchange, request, tool))
                .build();
    }

    synchronized void close() {
        server.ifPresent(McpAsyncServer::close);
    }
}
