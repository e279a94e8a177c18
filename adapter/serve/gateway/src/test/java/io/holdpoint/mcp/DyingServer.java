package io.holdpoint.mcp;

import io.modelcontextprotocol.server.McpServer;
import io.modelcontextprotocol.server.McpServerFeatures.SyncToolSpecification;
import io.modelcontextprotocol.server.transport.StdioServerTransportProvider;
import io.modelcontextprotocol.spec.McpSchema;
import io.modelcontextprotocol.spec.McpSchema.Tool;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;

/**
 * A server in a process of its own, which appends what it is told to a file. The text "die" is its last, and "later" waits for
 * a file "go" beside that file. Where a file of a {@link Stop}'s name
 * stands beside that file, it takes the name away when it gets there, and comes no further.
 */
final class DyingServer {

    /** Where the work of the server can be stopped for good. */
    enum Stop {
        BEFORE_IT_WRITES,
        BEFORE_IT_ANSWERS;

        Path beside(Path file) {
            return file.resolveSibling(name());
        }
    }

    private DyingServer() {}

    public static void main(String[] args) {
        McpServer.sync(new StdioServerTransportProvider(Results.mapper()))
                .jsonMapper(Results.mapper())
                .jsonSchemaValidator(Results.UNCHECKED)
                .capabilities(McpSchema.ServerCapabilities.builder().tools(true).build())
                .tools(SyncToolSpecification.builder()
                        .tool(new Tool("append", null, "", Notes.TEXT, null, null, Map.of(), null))
                        .callHandler((exchange, request) -> append(
                                Path.of(args[0]),
                                String.valueOf(request.arguments().get("text"))))
                        .build())
                .build();
    }

    private static McpSchema.CallToolResult append(Path file, String text) {
        try {
            while (text.equals("later") && Files.notExists(file.resolveSibling("go"))) {
                Thread.sleep(50);
            }
            stopAt(Stop.BEFORE_IT_WRITES, file);
            Files.write(file, List.of(text), StandardOpenOption.CREATE, StandardOpenOption.APPEND);
            stopAt(Stop.BEFORE_IT_ANSWERS, file);
        } catch (IOException | InterruptedException e) {
            return Results.said(e.toString(), true);
        }
        if (text.equals("die")) {
            System.err.println("no memory is left");
            Runtime.getRuntime().halt(3);
        }
        if (text.startsWith("flood ")) { // so many million characters
            return Results.said("x".repeat(Integer.parseInt(text.substring(6)) * 1_000_000), false);
        }
        if (text.equals("chatter")) {
            System.out.println(
                    "[info] {\"appending\": 1}\n{}\n[]\n7\n{\"method\": 1e99999999999999999999}\n{\"method\": 7, \"id\": {}}");
        }
        return Results.said(
                text.equals("env") ? String.join(" ", System.getenv().keySet()) : "appended " + text, false);
    }

    private static void stopAt(Stop stop, Path file) throws IOException, InterruptedException {
        if (Files.deleteIfExists(stop.beside(file))) {
            new CountDownLatch(1).await();
        }
    }

    static List<String> command(Path file) {
        return List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")),
                DyingServer.class.getName(),
                file.toString());
    }
}
