package io.holdpoint.mcp;

import io.modelcontextprotocol.client.McpClient;
import io.modelcontextprotocol.client.McpSyncClient;
import io.modelcontextprotocol.spec.McpSchema.CallToolRequest;
import io.modelcontextprotocol.spec.McpSchema.CallToolResult;
import io.modelcontextprotocol.spec.McpSchema.Implementation;
import io.modelcontextprotocol.spec.McpSchema.TextContent;
import io.modelcontextprotocol.spec.McpSchema.Tool;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;

/** A client of a gateway: the SDK's. */
final class Assistant implements AutoCloseable {

    final McpSyncClient client;
    /** What the gateway has sent. */
    final List<String> told = new CopyOnWriteArrayList<>();

    private final Lines lines = new Lines();
    final LinkedBlockingQueue<List<Tool>> changes = new LinkedBlockingQueue<>();

    Assistant(McpGateway gateway, String... named) {
        this(
                gateway,
                client -> named.length == 0
                        ? client
                        : client.clientInfo(
                                Implementation.builder(named[0], "1").build()));
    }

    Assistant(McpGateway gateway, UnaryOperator<McpClient.SyncSpec> settings) {
        lines.delivered = sent -> {
            told.addAll(sent);
            return sent;
        };
        lines.to(gateway::serve);
        client = settings.apply(McpClient.sync(lines)
                        .clientInfo(Implementation.builder("assistant", "1").build())
                        .jsonSchemaValidator(Results.UNCHECKED)
                        .requestTimeout(Duration.ofMinutes(2))
                        .initializationTimeout(Duration.ofMinutes(2))
                        .toolsChangeConsumer(changes::add))
                .build();
        client.initialize();
    }

    CallToolResult call(String tool, String text) {
        return client.callTool(
                CallToolRequest.builder(tool).arguments(Map.of("text", text)).build());
    }

    static String text(CallToolResult result) {
        return result.content().stream()
                .map(part -> ((TextContent) part).text())
                .collect(Collectors.joining("\n"));
    }

    String says(String tool, String text) {
        return text(call(tool, text));
    }

    @Override
    public void close() {
        client.close();
    }
}
